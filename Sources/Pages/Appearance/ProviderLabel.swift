package import Settings

/// How pages present the provider: its name, its mark and its sign-out page.
package struct ProviderLabel: Sendable, Equatable {
    package let name: String
    /// The sign-out page of the provider; nil if it is unknown.
    package let signOutPage: ExternalLink?
    /// The mark on the button that begins a sign-in; nil for a neutral one.
    package let logo: Logo?

    package init(name: String, signOutPage: ExternalLink? = nil, logo: Logo? = nil) {
        (self.name, self.signOutPage, self.logo) = (name, signOutPage, logo)
    }

    package static let linkedIn = ProviderLabel(
        name: "LinkedIn",
        signOutPage: ExternalLink("https://www.linkedin.com/m/logout/")
    )
}
