/// The look of the pages, as far as settings change it.
package struct Appearance: Sendable, Equatable {
    /// The color of buttons and links; nil for the built-in blue.
    package var accent: Color?
    /// Shown in place of the site's name at the top of each page.
    package var logo: Logo?
    /// The path of the file with the logo.
    package var logoFile: String?

    package init(accent: Color? = nil, logo: Logo? = nil) {
        (self.accent, self.logo) = (accent, logo)
    }
}

extension SettingsReader {
    /// Reads the color and the logo.
    mutating func appearance() -> Appearance {
        var appearance = Appearance()
        if let text = optional(.accentColor) {
            appearance.accent = Color(text)
            if appearance.accent == nil {
                complain(.accentColor, "“\(text)” is not # with three or six hexadecimal digits, such as #0a66c2")
            }
        }
        appearance.logoFile = optionalPath(.logo)
        if let path = appearance.logoFile {
            do throws(Logo.Unusable) {
                appearance.logo = try Logo(path: path)
            } catch {
                complain(.logo, "“\(path)” \(error)")
            }
        }
        return appearance
    }
}
