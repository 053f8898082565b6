import Crypto
import Foundation
import Pages
import Settings
import TestSupport
import Testing

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
        #expect(PageRenderer.contentSecurityPolicy == renderer.contentSecurityPolicy)
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
        ("ink", "card"), ("ink", "tint"), ("quiet", "card"), ("quiet", "page"), ("blue", "card"), ("blue", "tint"),
    ])
    func `text keeps a contrast of 4.5 to 1`(text: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[text], scheme[background]) >= 4.5) }
    }

    @Test(arguments: [("on-blue", "blue"), ("on-blue", "blue-strong"), ("done", "card")])
    func `text on controls keeps a contrast of 4.5 to 1`(text: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[text], scheme[background]) >= 4.5) }
    }

    @Test(arguments: [("edge", "card"), ("blue", "card"), ("blue", "page")])
    func `edges and focus rings keep a contrast of 3 to 1`(edge: String, background: String) throws {
        for scheme in try schemes() { #expect(try contrast(scheme[edge], scheme[background]) >= 3) }
    }

    /// The colors by name, for the light and the dark scheme.
    private func schemes() throws -> [[String: [Double]]] {
        let style = try style(PageRenderer(templateDirectory: nil))
        let blocks = style.split(separator: ":root {", omittingEmptySubsequences: false).dropFirst().prefix(2)
        let schemes = blocks.map { block in
            let colours = block.prefix { $0 != "}" }.matches(of: /--([a-z-]+): #([0-9a-f]+);/).map { match in
                let digits = match.2.count == 3 ? match.2.flatMap { [$0, $0] } : Array(match.2)
                let channels = stride(from: 0, to: 6, by: 2).compactMap {
                    Int(String(digits[$0...($0 + 1)]), radix: 16)
                }
                return (String(match.1), channels.map { Double($0) / 255 })
            }
            return Dictionary(uniqueKeysWithValues: colours)
        }
        try #require(schemes.count == 2)
        return schemes
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
