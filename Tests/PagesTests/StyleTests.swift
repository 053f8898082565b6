import Crypto
import Foundation
import Settings
import TestSupport
import Testing

@testable import Pages

struct StyleTests {
    private func style(_ renderer: PageRenderer) throws -> String {
        let page = renderer.render(.signedOut(), language: .english)
        return try #require(try Markup(String(decoding: page, as: UTF8.self))["style"].first).text
    }

    @Test func `the content security policy allows only the style sheet and LinkedIn's pictures`() throws {
        let renderer = try PageRenderer(templateDirectory: nil)
        let hash = Data(SHA256.hash(data: Data(try style(renderer).utf8))).base64EncodedString()
        let policy = [
            "default-src 'none'", "style-src 'sha256-\(hash)'", "img-src data: https://*.licdn.com",
            "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
        ]
        #expect(renderer.contentSecurityPolicy == policy.joined(separator: "; "))
    }

    @Test func `the content security policy allows a replaced style sheet and configured picture origins`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data("h1 > a {\r\n}\r\n".utf8).write(to: directory.appending(path: "style.css"))
        let renderer = try PageRenderer(
            templateDirectory: directory.path(),
            pictureSources: PictureSources(alsoFrom: ["http://127.0.0.1:9000"])
        )
        #expect(try style(renderer) == "h1 > a {\n}\n")
        let hash = Data(SHA256.hash(data: Data("h1 > a {\n}\n".utf8))).base64EncodedString()
        #expect(renderer.contentSecurityPolicy.contains("style-src 'sha256-\(hash)';"))
        #expect(renderer.contentSecurityPolicy.contains("img-src data: https://*.licdn.com http://127.0.0.1:9000;"))
    }

    @Test(arguments: [
        ("ink", "card"), ("ink", "tint"), ("quiet", "card"), ("quiet", "page"), ("link", "card"), ("link", "tint"),
        ("link", "page"),
    ])
    func `text keeps a contrast of 4.5 to 1`(text: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[text], scheme[background]) >= 4.5) }
    }

    @Test(arguments: [("on-accent", "accent"), ("on-accent", "accent-strong"), ("done", "card")])
    func `text on controls keeps a contrast of 4.5 to 1`(text: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[text], scheme[background]) >= 4.5) }
    }

    @Test(arguments: [("edge", "card"), ("edge", "tint"), ("link", "card"), ("link", "page"), ("rim", "card")])
    func `edges and focus rings keep a contrast of 3 to 1`(edge: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[edge], scheme[background]) >= 3) }
    }

    @Test func `the main button and the button that signs in have one color in both themes`() throws {
        for scheme in try schemes() {
            #expect(scheme["accent"] == scheme["brand"] && scheme["rim"] == scheme["brand-edge"])
        }
    }

    /// A grid of 64 colors, and some between them.
    static let accents: [String] = {
        let channels = ["00", "55", "aa", "ff"]
        let grid = channels.flatMap { red in channels.flatMap { green in channels.map { "#\(red)\(green)\($0)" } } }
        return grid + ["#8a1538", "#767676", "#777777", "#757575", "#0a66c2", "#ffcc00"]
    }()

    @Test(arguments: accents)
    func `with any accent color, all text keeps its contrast and buttons have exactly this color`(accent: String) throws
    {
        let color = try #require(Color(accent))
        let renderer = try PageRenderer(templateDirectory: nil, appearance: Appearance(accent: color))
        for scheme in try schemes(renderer) {
            for (text, background) in [
                ("link", "page"), ("link", "card"), ("link", "tint"), ("on-accent", "accent"), ("ink", "tint"),
                ("on-accent", "accent-strong"),
            ] {
                #expect(try contrast(scheme[text], scheme[background]) >= 4.5, "\(text) on \(background)")
            }
            #expect(try contrast(scheme["rim"], scheme["card"]) >= 3)
            #expect(scheme["accent"] == [color.red, color.green, color.blue].map { Double($0) / 255 })
        }
    }

    @Test(arguments: accents.suffix(6))
    func `with any color of a provider, its button has exactly this color, and text and edge keep their contrast`(
        color: String
    ) throws {
        let provider = ProviderLabel(name: "Example", color: Color(color))
        let renderer = try PageRenderer(templateDirectory: nil, provider: provider)
        let same = try PageRenderer(templateDirectory: nil, appearance: Appearance(accent: Color(color)))
        // The test above shows the contrast of these colors.
        for scheme in try style(same).split(separator: ":root {").dropFirst() {
            let button = scheme.prefix { $0 != "}" }.split(separator: " --link")[0].replacing("accent", with: "brand")
                .replacing("--rim", with: "--own-edge")
            #expect(try style(renderer).contains(".signin {\(button) }"), "\(button)")
        }
    }

    @Test func `links have the accent color unless it is hard to read, and the operator learns about it`() throws {
        let notes = { (accent: String) in
            try PageRenderer(templateDirectory: nil, appearance: Appearance(accent: Color(accent))).colorNotes
        }
        #expect(try notes("#0a66c2").map { $0.contains("dark theme are #") } == [true])
        #expect(try notes("#ffcc00").map { $0.contains("light theme are #") } == [true])
        #expect(try notes("#777777").count == 2)
        #expect(try PageRenderer(templateDirectory: nil).colorNotes.isEmpty)
    }

    @Test func `pages contain the built-in style sheet without line breaks and indentation`() {
        let lines = Template.style.embedded.split(separator: "\n")
        // At any other end, a line break separates words.
        #expect(lines.allSatisfy { $0.last.map { "{};:,".contains($0) } == true })
        let squeezed = { (text: String) in text.filter { $0 != " " && $0 != "\n" }.replacing(";}", with: "}") }
        #expect(squeezed(Template.compactStyle) == squeezed(Template.style.embedded))
        #expect(!Template.compactStyle.contains("\n") && !Template.compactStyle.contains("  "))
    }

    @Test(arguments: [nil, "body { color: #111; background: #fff; }"])
    func `the accent color changes the built-in style sheet only, also a copy of it`(own: String?) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let builtIn = try #require(TemplateFile.all.first { $0.path == "style.css" }).text
        try Data((own ?? builtIn).utf8).write(to: directory.appending(path: "style.css"))
        let appearance = Appearance(accent: Color("#8a1538"))
        let renderer = try PageRenderer(templateDirectory: directory.path(), appearance: appearance)
        let expected = try PageRenderer(templateDirectory: nil, appearance: appearance)
        #expect(try style(renderer) == own ?? style(expected))
        let unused =
            "SIGNIN_ACCENT_COLOR: this color is for the built-in style sheet; style.css in SIGNIN_TEMPLATES has its own colors"
        #expect(renderer.colorNotes == (own == nil ? expected.colorNotes : [unused]))
    }

    @Test func `the content security policy allows the style sheet with the accent color`() throws {
        let renderer = try PageRenderer(templateDirectory: nil, appearance: Appearance(accent: Color("#8a1538")))
        let style = try style(renderer)
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        #expect(style.contains("--accent: #8a1538;") && renderer.contentSecurityPolicy.contains("'sha256-\(hash)';"))
    }

    @Test func `the logo replaces the site's name at the top of every page, with the name for screen readers`() throws {
        let logo = try Logo(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8))
        let renderer = try PageRenderer(templateDirectory: nil, siteName: "A & B", appearance: Appearance(logo: logo))
        for page in Page.samples {
            let markup = try Markup(String(decoding: renderer.render(page, language: .english), as: UTF8.self))
            let pictures = markup["img"].filter { $0.attributes["class"] == "logo" }
            #expect(pictures.map { $0.attributes["src"] } == [logo.url], "\(page)")
            #expect(pictures.map { $0.attributes["alt"] } == ["A & B"], "\(page)")
            #expect(markup["a"].first?.attributes["href"] == "/" && markup["a"].first?.text.isEmpty == true, "\(page)")
        }
    }

    /// The colors by name, for the light and the dark scheme; later rules replace earlier ones.
    private func schemes(_ renderer: PageRenderer? = nil) throws -> [[String: [Double]]] {
        let style = try style(renderer ?? .shared())
        let text = style.replacing(" ", with: "")
        let blocks = text.split(separator: ":root{", omittingEmptySubsequences: false).dropFirst()
        let schemes = blocks.map { block in
            let colours = block.prefix { $0 != "}" }.matches(of: /--([a-z-]+):#([0-9a-f]+)/).map { match in
                let digits = match.2.count == 3 ? match.2.flatMap { [$0, $0] } : Array(match.2)
                let channels = stride(from: 0, to: 6, by: 2).compactMap {
                    Int(String(digits[$0...($0 + 1)]), radix: 16)
                }
                return (String(match.1), channels.map { Double($0) / 255 })
            }
            return Dictionary(uniqueKeysWithValues: colours)
        }
        try #require(schemes.count == (renderer == nil ? 2 : 4))
        guard renderer != nil else { return [schemes[0], schemes[0].merging(schemes[1]) { $1 }] }
        return [0, 1].map { schemes[$0].merging(schemes[$0 + 2]) { $1 } }
    }

    /// Returns the contrast ratio as WCAG 2.2 defines it.
    private func contrast(_ first: [Double]?, _ second: [Double]?) throws -> Double {
        let lights = try [first, second].map { colour in
            let linear = try #require(colour).map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        return ((lights.max() ?? 0) + 0.05) / ((lights.min() ?? 0) + 0.05)
    }
}
