/// What pages call the provider, and what they can say about it.
package struct ProviderLabel: Sendable, Equatable {
    package let name: String
    /// The provider's own sign-out page; nil if none is known.
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
