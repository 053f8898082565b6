import Settings

/// How the site presents itself on its pages.
struct SiteLabel: Sendable {
    let name: String
    /// The colors of the light theme; nil for the built-in ones.
    let colors: Palette.Theme?
    let logo: Logo?

    /// The values of the tags `{{site.…}}`.
    var fields: [String: String] {
        // As in the built-in style sheet.
        let (accent, onAccent) = (colors?.accent.digits ?? "0a66c2", colors?.onAccent.digits ?? "ffffff")
        var fields = ["name": name, "accent": accent, "onAccent": onAccent]
        if let logo { fields["logo"] = logo.url }
        return fields
    }
}
