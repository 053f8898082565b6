import HTTP

extension Page {
    package static func problem(_ problem: Problem) -> Page { Page(content: problem) }
}

extension TemplateField {
    static let title = Self("title", "the heading of the problem")
    static let happened = Self("happened", "what happened")
    static let next = Self("next", "what to do next; absent if the actions are enough")
    static let wait = Self("wait", "a sentence that says how long to wait; absent if retrying later does not help")
    static let account =
        Self("account", "the name and address of the rejected account; absent for other problems")
    static let contactAddress =
        Self("contactAddress", "`SIGNIN_CONTACT`, if its value is an e-mail address and the page shows the contact")
    static let contactParts =
        Self("contactParts", "list of the parts of `contactAddress`; a line may break after each part; each has `part`")
    static let contact =
        Self("contact", "`SIGNIN_CONTACT`, if its value is any other text and the page shows the contact")
    static let requestID = Self(
        "requestID",
        "the first eight characters of the request's ID in the log; absent if nothing failed, or if the log has no line for the request"
    )
    static let actions =
        Self(
            "actions",
            "list of links, the most useful first; each has `label`, `target`, `isPrimary`, `isNewTab` and `isForm`"
        )
    static let isPrimary = Self(
        "isPrimary",
        "in `actions`: whether the link is the one that most visitors need"
    )
    static let isNewTab = Self("isNewTab", "in `actions`: whether the link opens a new tab")
    static let isForm = Self("isForm", "in `actions`: whether to show a button that sends a form to `target`")
    static let returnPath =
        Self(
            "returnPath",
            "the path to which the member returns after the next sign-in; absent if it is not known; for `problem`: also the "
                + "value of the field `return_to` of the forms in `actions`"
        )
}

extension Problem: PageContent {
    var holdsForm: Bool { actions.contains { $0.isForm } }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        let text = context.wording.problem(kind)
        fields.set(.title, text.title)
        fields.set(.happened, text.happened)
        fields.set(.next, text.next)
        fields.set(.wait, retryAfter.flatMap(context.wording.wait))
        if let account {
            context.addName(of: account, to: &fields)
            fields.set(.account, account.label)
        }
        let address = contact.flatMap(EmailAddress.init).map { "\($0.local)@\($0.domain)" }
        fields.set(.contactAddress, address)
        fields.set(.contactParts, address.map(PageContext.parts) ?? [])
        fields.set(.contact, address == nil ? contact : nil)
        fields.set(.requestID, kind.showsRequest ? requestID.map { String($0.prefix(8)) } : nil)
        fields.set(.returnPath, returnPath)
        let links = actions.compactMap { action in
            target(of: action, context.paths).map { (action: action, target: $0) }
        }
        fields.set(
            .actions,
            links.enumerated().map { position, link in
                var fields = TemplateFields()
                let choice = link.action == .signIn && context.offersChoice ? TextKey.welcomeTitle : nil
                fields.set(.label, context.wording[choice ?? link.action.label])
                fields.set(.target, link.target)
                fields.set(.isPrimary, position == 0)
                fields.set(.isNewTab, link.action == .signInNewTab)
                fields.set(.isForm, link.action.isForm)
                return fields
            }
        )
    }

    private func target(of action: Action, _ paths: Paths) -> String? {
        switch action {
        case .signIn, .signInAgain, .signInNewTab, .repeatSignIn: paths.login(returningTo: returnPath)
        case .signOut, .switchAccount: paths.logout
        case .forget: paths.forget
        case .reloadProfile: paths.profile
        // An empty reference is the current URL with its query (RFC 3986 §4.4).
        case .reload: ""
        case .openForm: returnPath
        case .home: paths.home
        }
    }

    static func samples(contact: String) -> [PageSample] {
        let waits: [Kind: Int] = [
            .providerBusy: 3, .providerThrottled: 3_600, .tooManyRequests: 60, .tooManyForms: 600,
            .storeUnavailable: 10, .formUnsent: 5,
        ]
        return Kind.allCases.map { kind in
            let problem = Problem(
                kind,
                requestID: "4f0c2a9be1d87365",
                retryAfter: waits[kind],
                account: kind.isAboutAccount ? .ada : nil,
                contact: kind.isAboutAccount ? contact : nil,
                returnPath: "/forum/"
            )
            return PageSample("problem-\(kind.rawValue.replacing("_", with: "-"))", problem)
        }
    }

    static let template = Template(
        name: "problem",
        purpose: "every error page",
        fields: [
            .title, .happened, .next, .wait, .account, .name, .email, .emailParts, .part, .contactAddress,
            .contactParts, .contact, .requestID, .actions, .label, .target, .isPrimary, .isNewTab, .isForm,
            .returnPath,
        ],
        requiredTags: ["title", "happened", "next", "actions", "requestID"],
        embedded: """
            {{<layout}}
            {{$title}}{{title}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{title}}</h1>
            {{#happened}}
            <p class="lead">{{happened}}</p>
            {{/happened}}
            {{#account}}
            \(Template.account)
            {{/account}}
            {{#next}}
            <p>{{next}}</p>
            {{/next}}
            {{#contactAddress}}
            <p>{{text.contact}} <a href="mailto:{{contactAddress}}">{{#contactParts}}{{part}}<wbr>{{/contactParts}}</a></p>
            {{/contactAddress}}
            {{#contact}}
            <p>{{text.contact}} {{contact}}</p>
            {{/contact}}
            {{#wait}}
            <p>{{wait}}</p>
            {{/wait}}
            <div class="actions">
            {{#actions}}
            {{#isForm}}
            <form method="post" action="{{target}}">
            {{#returnPath}}
            <input type="hidden" name="return_to" value="{{returnPath}}">
            {{/returnPath}}
            <button class="control{{#isPrimary}} primary{{/isPrimary}}">{{label}}</button>
            </form>
            {{/isForm}}
            {{^isForm}}
            <a class="control{{#isPrimary}} primary{{/isPrimary}}" href="{{target}}"{{#isNewTab}} target="_blank"{{/isNewTab}}>{{label}}</a>
            {{/isForm}}
            {{/actions}}
            </div>
            {{#requestID}}
            <p class="request">{{text.requestID}} <code>{{requestID}}</code></p>
            {{/requestID}}
            {{/main}}
            {{/layout}}

            """
    )
}

extension Problem.Action {
    var label: TextKey {
        switch self {
        case .signIn: .signIn
        case .signInAgain: .signInAgain
        case .signInNewTab: .signInNewTab
        case .repeatSignIn, .reloadProfile, .reload, .openForm: .tryAgain
        case .forget: .forget
        case .signOut: .signOut
        case .switchAccount: .useAnotherAccount
        case .home: .home
        }
    }

    /// Whether the action is a button that sends a form.
    var isForm: Bool { [.signOut, .switchAccount].contains(self) }
}
