/// A color theme of the pages.
package enum Theme: String, Sendable, CaseIterable {
    case light
    case dark

    /// Returns a template or style sheet that shows this theme, whatever the browser prefers.
    ///
    /// The conditions that ask for a theme become conditions that are always true or always false.
    func fixed(_ text: String) -> String {
        var text = text
        for theme in Self.allCases {
            let condition = theme == self ? "min-width: 0" : "max-width: 0"
            for space in ["", " "] { text = text.replacing("prefers-color-scheme:\(space)\(theme)", with: condition) }
        }
        for space in ["", " "] {
            text = text.replacing("color-scheme:\(space)light dark", with: "color-scheme: \(self)")
        }
        return text.replacing("content=\"light dark\"", with: "content=\"\(self)\"")
    }
}
