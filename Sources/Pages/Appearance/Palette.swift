import Sessions
import Settings

import func Glibc.pow

/// The colors of buttons and links that follow from one color of the site, for both themes.
///
/// The main button has exactly this color. Text on it is black or white, whichever is easier to read: one of them always has a
/// contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). Links, edges and focus rings have the color itself if it has that contrast
/// on all backgrounds; otherwise it is mixed with black, or with white in the dark theme, until it has.
struct Palette {
    let light: Theme
    let dark: Theme
    /// What the operator should know about colors that differ from the chosen one.
    let notes: [String]

    init(_ accent: Color) {
        light = Theme(accent, page: .lightPage, card: .white, far: .black, share: 0.09)
        dark = Theme(accent, page: .darkPage, card: .darkCard, far: .white, share: 0.16)
        notes = [("light", light), ("dark", dark)].compactMap { name, theme in
            guard theme.link != accent else { return nil }
            let reason = "#\(accent.digits) is hard to read on that background"
            return "SIGNIN_ACCENT_COLOR: links in the \(name) theme are #\(theme.link.digits), because \(reason)"
        }
    }

    /// What the operator should know if the site has its own style sheet.
    static func unusedNote(on setting: String) -> String {
        "\(setting): this color is for the built-in style sheet; style.css in SIGNIN_TEMPLATES has its own colors"
    }

    /// Rules that replace the colors of the built-in style sheet.
    var style: String {
        """

        :root { \(light.declarations) }
        @media (prefers-color-scheme: dark) { :root { \(dark.declarations) } }

        """
    }

    /// Returns rules for the button that starts a sign-in at a provider; nil names the only provider of a site.
    func style(ofButtonFor provider: ProviderID?) -> String {
        let button = ".signin" + (provider.map { "[data-provider=\"\($0)\"]" } ?? "")
        return """

            \(button) { \(light.buttonDeclarations) }
            @media (prefers-color-scheme: dark) { \(button) { \(dark.buttonDeclarations) } }

            """
    }

    /// The colors in one theme.
    struct Theme {
        let accent: Color
        let onAccent: Color
        let strong: Color
        let link: Color
        /// The edge of a filled button, which stands out from the card (WCAG 2.2, 1.4.11).
        let rim: Color
        let tint: Color

        /// - Parameters:
        ///   - accent: The color of the site.
        ///   - page: The background of the page.
        ///   - card: The background of the text.
        ///   - far: The color with the most contrast to both.
        ///   - share: The share of the accent in the background of notes.
        fileprivate init(_ accent: Color, page: Color, card: Color, far: Color, share: Double) {
            self.accent = accent
            onAccent = accent.contrast(with: .white) >= accent.contrast(with: .black) ? .white : .black
            // Away from the text, so that its contrast can only grow.
            strong = accent.mixed(with: onAccent == .white ? .black : .white, share: 0.22)
            let tint = card.mixed(with: accent, share: share)
            self.tint = tint
            let steps = (0...32).map { accent.mixed(with: far, share: Double($0) / 32) }
            rim = steps.first { $0.contrast(with: card) >= 3 } ?? far
            link = steps.first { step in [page, card, tint].allSatisfy { step.contrast(with: $0) >= 4.5 } } ?? far
        }

        fileprivate var declarations: String {
            Self.text([
                ("accent", accent), ("accent-strong", strong), ("on-accent", onAccent), ("rim", rim), ("link", link),
                ("tint", tint),
            ])
        }

        fileprivate var buttonDeclarations: String {
            Self.text([("brand", accent), ("brand-strong", strong), ("on-brand", onAccent), ("own-edge", rim)])
        }

        private static func text(_ colors: [(name: String, color: Color)]) -> String {
            colors.map { "--\($0.name): #\($0.color.digits);" }.joined(separator: " ")
        }
    }
}

extension Color {
    static let black = Color(red: 0, green: 0, blue: 0)
    static let white = Color(red: 255, green: 255, blue: 255)

    // As in the built-in style sheet.
    fileprivate static let lightPage = Color(red: 0xee, green: 0xf1, blue: 0xf5)
    fileprivate static let darkPage = Color(red: 0x14, green: 0x18, blue: 0x1d)
    fileprivate static let darkCard = Color(red: 0x1e, green: 0x24, blue: 0x2b)

    /// The contrast ratio, from 1 to 21 (WCAG 2.2).
    func contrast(with other: Color) -> Double {
        let lights = [luminance, other.luminance].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    /// Mixes two colors channel by channel; the share of the other is from 0 to 1.
    fileprivate func mixed(with other: Color, share: Double) -> Color {
        let mix = { (own: UInt8, other: UInt8) in
            UInt8((Double(own) * (1 - share) + Double(other) * share).rounded())
        }
        return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    private var luminance: Double {
        let linear = [red, green, blue].map { channel in
            let part = Double(channel) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
