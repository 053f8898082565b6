/// The page that sends a form kept during sign-in: with a button, or automatically if scripts are allowed.
struct KeptFormPage {
    let target: String
    let token: String
    let label: String
}

extension Page {
    /// The page that sends a kept form to `target`, a local path.
    ///
    /// `token` is the value of the form's only field, and `label` the value of the field that discards the form.
    package static func resume(target: String, token: String, label: String) -> Page {
        Page(content: KeptFormPage(target: target, token: token, label: label))
    }
}

extension TemplateField {
    static let formToken = Self("formToken", "the value of the field `linkedin-signin-form`")
    static let formLabel =
        Self("formLabel", "the value of the field `discard` in the form that discards the kept form at `paths.resume`")
}

extension KeptFormPage: PageContent {
    var holdsForm: Bool { true }
    var script: PageScript? { .send }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        fields.set(.target, target)
        fields.set(.formToken, token)
        fields.set(.formLabel, label)
    }

    static func samples(contact: String) -> [PageSample] {
        let target = "/forum/topics/1815/answers?draft=yes"
        return [PageSample("resume", KeptFormPage(target: target, token: "sample", label: "sample00"))]
    }

    /// The form is sent as text/plain, which distinguishes it from the application's forms for the same URL.
    static let template = Template(
        name: "resume",
        purpose: "the page that sends a kept form",
        fields: [.target, .formToken, .formLabel, .script],
        requiredTags: ["target", "formToken", "script"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.resumeTitle}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{text.resumeTitle}}</h1>
            <p class="lead">{{text.resumeLead}}</p>
            <dl>
            <dt>{{text.resumeTarget}}</dt>
            <dd>{{target}}</dd>
            </dl>
            <form name="resume" method="post" action="{{target}}" enctype="text/plain">
            <input type="hidden" name="linkedin-signin-form" value="{{formToken}}">
            <p class="actions"><button class="control primary">{{text.resumeSend}}</button></p>
            </form>
            <details>
            <summary>{{text.resumeDiscard}}</summary>
            <form method="post" action="{{paths.resume}}">
            <p>{{text.resumeDiscardSure}}</p>
            <button class="danger" name="discard" value="{{formLabel}}">{{text.resumeDiscard}}</button>
            </form>
            </details>
            <script>{{script}}</script>
            {{/main}}
            {{/layout}}

            """
    )
}
