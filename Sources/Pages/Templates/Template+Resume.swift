extension Template {
    /// The form is sent as text/plain, which distinguishes it from the application's forms for the same URL.
    static let resumeText = """
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
}
