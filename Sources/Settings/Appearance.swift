/// The look of the pages, as far as settings change it.
package struct Appearance: Sendable, Equatable {
    /// The color of buttons and links; nil for the built-in blue.
    package var accent: Color?
    /// Shown in place of the site's name at the top of each page.
    package var logo: Logo?

    package init(accent: Color? = nil, logo: Logo? = nil) {
        (self.accent, self.logo) = (accent, logo)
    }
}
