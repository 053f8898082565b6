/// The page after sign-out: the session of this site has ended, but the session at the provider has not.
struct SignedOutPage {
    let returnPath: String?
    let everywhere: Bool
    let signOutPage: ExternalLink?
}

extension Page {
    /// The page after sign-out.
    ///
    /// - Parameters:
    ///   - returnPath: A local path, to which signing in again leads.
    ///   - everywhere: Whether all sessions of the member ended.
    ///   - signOutPage: The page at which the member can sign out of the provider; nil if it is unknown.
    /// - Returns: The page.
    package static func signedOut(
        returnPath: String? = nil,
        everywhere: Bool = false,
        signOutPage: ExternalLink? = nil
    ) -> Page {
        Page(content: SignedOutPage(returnPath: returnPath, everywhere: everywhere, signOutPage: signOutPage))
    }
}

extension TemplateField {
    static let everywhere = Self("everywhere", "whether the member was signed out in all browsers")
    static let signOutPage = Self(
        "signOutPage",
        "the URL of the provider's own sign-out page; absent if the program does not know this URL"
    )
}

extension SignedOutPage: PageContent {
    var holdsForm: Bool { false }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        fields.set(.everywhere, everywhere)
        fields.set(.returnPath, returnPath)
        fields.set(.target, context.paths.login(returningTo: returnPath))
        fields.set(.signOutPage, signOutPage?.text)
    }

    static func samples(contact: String) -> [PageSample] {
        let link = ExternalLink("https://provider.example/logout")
        return [
            PageSample("signed-out", SignedOutPage(returnPath: nil, everywhere: false, signOutPage: link)),
            PageSample("signed-out-return", SignedOutPage(returnPath: "/forum/", everywhere: false, signOutPage: link)),
            PageSample("signed-out-everywhere", SignedOutPage(returnPath: nil, everywhere: true, signOutPage: nil)),
        ]
    }

    static let template = Template(
        name: "signed-out",
        purpose: "the page after signing out",
        fields: [.everywhere, .signOutPage, .returnPath, .target],
        requiredTags: ["signOutPage"],
        embedded: """
            {{<layout}}
            {{$title}}{{#everywhere}}{{text.signedOutEverywhere}} · {{site.name}}{{/everywhere}}{{^everywhere}}{{text.signedOutTitle}}{{/everywhere}}{{/title}}
            {{$main}}
            <h1>{{#everywhere}}{{text.signedOutEverywhere}}{{/everywhere}}{{^everywhere}}{{text.signedOutTitle}}{{/everywhere}}</h1>
            <p class="lead">{{text.signedOutAdvice}}</p>
            {{#returnPath}}
            <p>{{text.signedOutReturn}} <bdi>{{returnPath}}</bdi></p>
            {{/returnPath}}
            <p class="actions">
            {{#signOutPage}}
            <a class="control primary" href="{{signOutPage}}" target="_blank" rel="noopener noreferrer">{{text.signOutAtProvider}}</a>
            {{/signOutPage}}
            <a class="control{{^signOutPage}} primary{{/signOutPage}}" href="{{target}}">{{text.signInAgain}}</a>
            </p>
            {{/main}}
            {{/layout}}

            """
    )
}
