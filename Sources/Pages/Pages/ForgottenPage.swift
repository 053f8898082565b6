/// The page after the deletion of a member's data, with the numbers of sessions and personal tokens that ended.
struct ForgottenPage {
    let sessions: Int
    let tokens: Int
}

extension Page {
    /// The page after the deletion of a member's data, with the numbers of sessions and personal tokens that ended.
    package static func forgotten(sessions: Int, tokens: Int = 0) -> Page {
        Page(content: ForgottenPage(sessions: sessions, tokens: tokens))
    }
}

extension TemplateField {
    static let deleted = Self("deleted", "a sentence that says in how many browsers the deletion signed the member out")
}

extension ForgottenPage: PageContent {
    var holdsForm: Bool { false }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        fields.set(.deletesTokens, tokens > 0)
        // The second request of a double click may find no session, and its page is the one that the member sees.
        fields.set(.deleted, context.wording.text(.deletedSessions, count: max(1, sessions)))
    }

    static func samples(contact: String) -> [PageSample] {
        [PageSample("forgotten", ForgottenPage(sessions: 3, tokens: 2))]
    }

    static let template = Template(
        name: "forgotten",
        purpose: "the page after the deletion",
        fields: [.deleted, .deletesTokens],
        requiredTags: ["deleted"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.forgottenTitle}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{text.forgottenTitle}}</h1>
            <div class="note made" role="status">
            <p>{{deleted}}</p>
            {{#deletesTokens}}
            <p>{{text.forgottenTokens}}</p>
            {{/deletesTokens}}
            </div>
            <details>
            <summary>{{text.forgetMore}}</summary>
            <p>{{text.forgetRest}}</p>
            </details>
            <p class="actions"><a class="control" href="{{paths.home}}">{{text.home}}</a></p>
            {{/main}}
            {{/layout}}

            """
    )
}
