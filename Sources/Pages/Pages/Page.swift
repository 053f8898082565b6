/// A page of the program with its content.
package struct Page: Sendable {
    /// All pages, in the order of docs/pages.md.
    static let types: [any PageContent.Type] = [
        HomePage.self,
        ChoicePage.self,
        ProfilePage.self,
        SignedOutPage.self,
        ForgetPage.self,
        ForgottenPage.self,
        TokensPage.self,
        KeptFormPage.self,
        Problem.self,
    ]

    let content: any PageContent

    /// Whether the page contains a form, so that the browser must send `Origin` with it.
    package var holdsForm: Bool { content.holdsForm }
}

extension Template {
    static let pages = Page.types.map { $0.template }
    /// All templates, in the order of docs/pages.md.
    static let all = [layout] + pages + [member, signIn, providers, backdrop, footer, style]
}
