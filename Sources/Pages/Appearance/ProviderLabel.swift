package import Sessions
package import Settings

/// How pages present the provider: its name, its mark and its sign-out page.
package struct ProviderLabel: Sendable, Equatable {
    /// The ID, which a link that starts a sign-in has.
    package let id: ProviderID
    package let name: String
    /// The sign-out page of the provider; nil if it is unknown.
    package let signOutPage: ExternalLink?
    /// The mark on the button that begins a sign-in; nil for a neutral one.
    package let logo: Logo?
    /// The color of that button; nil for the built-in blue.
    package let color: Color?

    package init(
        id: ProviderID = .linkedIn,
        name: String,
        signOutPage: ExternalLink? = nil,
        logo: Logo? = nil,
        color: Color? = nil
    ) {
        (self.id, self.name, self.signOutPage, self.logo, self.color) = (id, name, signOutPage, logo, color)
    }

    package static let linkedIn = ProviderLabel(
        name: "LinkedIn",
        signOutPage: ExternalLink("https://www.linkedin.com/m/logout/")
    )

    /// Invented providers, with which a preview of a site with one provider shows the pages of a site with several.
    static let samples = [("university", "University of Example"), ("mail", "Example Mail")].compactMap { id, name in
        ProviderID(id).map { ProviderLabel(id: $0, name: name) }
    }
}
