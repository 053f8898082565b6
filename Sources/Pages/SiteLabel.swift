import Settings

/// How the site presents itself on its pages.
struct SiteLabel: Sendable {
    let name: String
    private let appearance: Appearance

    init(name: String, appearance: Appearance) {
        (self.name, self.appearance) = (name, appearance)
    }

    /// The values of the tags `{{site.…}}`.
    var fields: [String: String] {
        let colors = appearance.accent.map { Palette($0).light }
        // As in the built-in style sheet.
        let (accent, onAccent) = (colors?.accent.digits ?? "0a66c2", colors?.onAccent.digits ?? "ffffff")
        var fields = ["name": name, "accent": accent, "onAccent": onAccent]
        if let logo = appearance.logo { fields["logo"] = logo.url }
        return fields
    }
}
