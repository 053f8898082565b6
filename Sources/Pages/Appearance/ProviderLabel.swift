package import Sessions
package import Settings

/// How pages present the provider: its name and its mark.
package struct ProviderLabel: Sendable, Equatable {
    /// The ID, which a link that starts a sign-in has.
    package let id: ProviderID
    package let name: String
    /// The mark on the button that begins a sign-in; nil for a neutral one.
    package let logo: Logo?
    /// The color of that button; nil for the built-in blue.
    package let color: Color?

    package init(id: ProviderID = .linkedIn, name: String, logo: Logo? = nil, color: Color? = nil) {
        (self.id, self.name, self.logo, self.color) = (id, name, logo, color)
    }

    package static let linkedIn = ProviderLabel(name: "LinkedIn")

    /// Invented providers, with which a preview of a site with one provider shows the pages of a site with several.
    static let samples = [("university", "University of Example"), ("mail", "Example Mail")].compactMap { id, name in
        ProviderID(id).map { ProviderLabel(id: $0, name: name) }
    }
}
