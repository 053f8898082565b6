/// The page that asks a member whether to delete everything that the site's sign-in stores about them.
struct ForgetPage {
    let member: SignedInMember
    let deletesTokens: Bool
}

extension Page {
    /// The page that asks a member whether to delete their data; `deletesTokens` says whether the site has personal tokens.
    package static func forget(_ member: SignedInMember, deletesTokens: Bool = false) -> Page {
        Page(content: ForgetPage(member: member, deletesTokens: deletesTokens))
    }
}

extension ForgetPage: PageContent {
    var holdsForm: Bool { true }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        context.add(member, to: &fields)
        fields.set(.memberID, member.id)
        fields.set(.deletesTokens, deletesTokens)
    }

    static func samples(contact: String) -> [PageSample] {
        [PageSample("forget", ForgetPage(member: .ada, deletesTokens: true))]
    }

    static let template = Template(
        name: "forget",
        purpose: "the page that asks before the member's data is deleted",
        fields: TemplateField.member + [.memberID, .deletesTokens],
        requiredTags: ["paths.forget", "memberID"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.forgetTitle}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{text.forgetTitle}}</h1>
            {{> member}}
            <p class="lead">{{text.forgetLead}}</p>
            {{#deletesTokens}}
            <p>{{text.forgetTokens}}</p>
            {{/deletesTokens}}
            <p><strong>{{text.forgetFinal}}</strong></p>
            <details>
            <summary>{{text.forgetMore}}</summary>
            <p>{{text.forgetRest}}</p>
            </details>
            <form class="actions" method="post" action="{{paths.forget}}">
            <input type="hidden" name="member" value="{{memberID}}">
            <button class="control danger">{{text.forget}}</button>
            <a class="control" href="{{paths.home}}">{{text.forgetCancel}}</a>
            </form>
            {{/main}}
            {{/layout}}

            """
    )
}
