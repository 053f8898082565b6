import TestSupport
import Testing

@testable import Pages

struct PreviewTests {
    private func preview(_ directory: String? = nil) throws -> Preview {
        try Preview(contact: nil) { theme in try PageRenderer(templateDirectory: directory, theme: theme) }
    }

    @Test(arguments: [
        ("@media (prefers-color-scheme: dark) { a }", "@media (max-width: 0) { a }", "@media (min-width: 0) { a }"),
        ("(prefers-color-scheme:light) and (hover)", "(min-width: 0) and (hover)", "(max-width: 0) and (hover)"),
        (":root { color-scheme: light dark; }", ":root { color-scheme: light; }", ":root { color-scheme: dark; }"),
        ("<meta content=\"light dark\">", "<meta content=\"light\">", "<meta content=\"dark\">"),
    ])
    func `a theme replaces the choice of the browser`(text: String, light: String, dark: String) {
        #expect(Theme.light.fixed(text) == light && Theme.dark.fixed(text) == dark)
    }

    @Test func `every page is in the preview once for each language and theme`() throws {
        let preview = try preview()
        let paths = preview.pages.map(\.path)
        #expect(paths.count == preview.count && Set(paths).count == paths.count)
        let index = try Markup(preview.index.text)
        #expect(index["a"].compactMap { $0.attributes["href"] }.sorted() == paths.sorted())
        let problems = paths.filter { $0.hasPrefix("en/problem-") && $0.hasSuffix("-light.html") }
        #expect(problems.count == Problem.Kind.allCases.count)
    }

    @Test func `a page of the preview is the page of the site in one theme, with a policy that loads nothing`() throws {
        let page = try #require(try preview().pages.first { $0.path == "en/signed-out-light.html" })
        let policy = try #require(
            page.text.firstMatch(of: /\n<meta http-equiv="Content-Security-Policy" content="([^"]*)">/)
        )
        #expect(policy.1.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.1.contains("https:"))
        let signedOut = Page.signedOut(signOutPage: ExternalLink("https://provider.example/logout"))
        let embedded = try PageRenderer.shared().render(signedOut, language: .english, at: "/")
        let shown = Theme.light.fixed(String(decoding: embedded, as: UTF8.self))
        #expect(page.text.replacing(policy.0, with: "") == shown)
    }

    @Test(arguments: ["home-choice", "choice", "choice-again"])
    func `the preview of a site with one provider shows what a visitor of several providers sees`(name: String) throws {
        let page = try #require(try preview().pages.first { $0.path == "en/\(name)-light.html" })
        let buttons = try Markup(page.text)["a"].filter { $0.attributes["class"]?.hasPrefix("control signin") == true }
        let names = ["LinkedIn", "University of Example", "Example Mail"]
        #expect(buttons.map(\.text).map { $0.split(separator: "\n").last.map(String.init) } == names)
        #expect(buttons.map { $0.attributes["aria-label"] } == names.map { "Sign in with \($0)" })
    }
}
