/// The name of the provider on pages, and its sign-out page.
package struct ProviderLabel: Sendable, Equatable {
    package let name: String
    /// The sign-out page of the provider; nil if it is unknown.
    package let signOutPage: ExternalLink?

    package init(name: String, signOutPage: ExternalLink? = nil) {
        self.name = name
        self.signOutPage = signOutPage
    }

    package static let linkedIn = ProviderLabel(
        name: "LinkedIn",
        signOutPage: ExternalLink("https://www.linkedin.com/m/logout/")
    )
}
