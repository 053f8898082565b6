/// The page after sign-out: the session of this site has ended, but the session at the provider has not.
struct SignedOutPage {
    let returnPath: String?
    let everywhere: Bool
}

extension Page {
    /// The page after sign-out.
    ///
    /// Signing in again leads to `returnPath`, a local path. `everywhere` says whether all sessions of the member ended.
    package static func signedOut(returnPath: String? = nil, everywhere: Bool = false) -> Page {
        Page(content: SignedOutPage(returnPath: returnPath, everywhere: everywhere))
    }
}

extension TemplateField {
    static let everywhere = Self("everywhere", "whether the member was signed out in all browsers")
    static let signOutPage = Self("signOutPage", "the URL of LinkedIn's own sign-out page")
}

extension SignedOutPage: PageContent {
    var holdsForm: Bool { false }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        fields.set(.everywhere, everywhere)
        fields.set(.target, context.paths.login(returningTo: returnPath))
        fields.set(.signOutPage, context.provider.signOutPage?.text)
    }

    static func samples(contact: String) -> [PageSample] {
        [
            PageSample("signed-out", SignedOutPage(returnPath: nil, everywhere: false)),
            PageSample("signed-out-everywhere", SignedOutPage(returnPath: nil, everywhere: true)),
        ]
    }

    static let template = Template(
        name: "signed-out",
        purpose: "the page after signing out",
        fields: [.everywhere, .signOutPage, .target],
        requiredTags: ["signOutPage"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.signedOutTitle}}{{/title}}
            {{$main}}
            <h1>{{text.signedOutTitle}}</h1>
            {{#everywhere}}
            <p>{{text.signedOutEverywhere}}</p>
            {{/everywhere}}
            <p>{{text.signedOutAdvice}}</p>
            <p class="actions">
            {{#signOutPage}}
            <a class="control primary" href="{{signOutPage}}" target="_blank" rel="noopener noreferrer">{{text.signOutAtProvider}}</a>
            {{/signOutPage}}
            <a class="control" href="{{target}}">{{text.signInAgain}}</a>
            </p>
            {{/main}}
            {{/layout}}

            """
    )
}
