/// The look of the pages, as far as settings change it.
package struct Appearance: Sendable, Equatable {
    /// The color of buttons and links; nil for the built-in blue.
    package var accent: Color?
    /// Shown in place of the site's name at the top of each page.
    package var logo: Logo?
    /// The path of the file with the logo.
    package var logoFile: String?
    /// The provider's mark on the button that begins a sign-in; nil for a neutral one.
    package var providerLogo: Logo?
    /// The path of the file with that mark.
    package var providerLogoFile: String?

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
        (appearance.logoFile, appearance.logo) = picture(.logo)
        (appearance.providerLogoFile, appearance.providerLogo) = picture(.providerLogo)
        return appearance
    }

    /// Reads the file that a setting names.
    private mutating func picture(_ setting: Setting) -> (path: String?, picture: Logo?) {
        guard let path = optionalPath(setting) else { return (nil, nil) }
        do throws(Logo.Unusable) {
            return (path, try Logo(path: path))
        } catch {
            complain(setting, "“\(path)” \(error)")
            return (path, nil)
        }
    }
}
