import Sessions
import Settings
import TestSupport
import Testing

@testable import Pages

/// A page of a site with several providers.
struct ChoicePageTests {
    private static let google = ProviderID("google")

    private let renderer: PageRenderer

    init() throws {
        let labels = ["google", "sso"].compactMap(ProviderID.init).map { id in
            ProviderLabel(id: id, name: id.description.uppercased())
        }
        renderer = try PageRenderer(templateDirectory: nil, paths: Paths(prefix: "/account"), others: labels)
    }

    private func markup(_ page: Page, _ language: Language = .english, naming id: ProviderID? = nil) throws -> Markup {
        try Markup(String(decoding: renderer.render(page, language: language, naming: id), as: UTF8.self))
    }

    /// The addresses of a page below `/account/login`.
    private func targets(_ page: Page) throws -> [String] {
        try markup(page)["a"].compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("/account/login") }
    }

    @Test func `a visitor chooses a provider, and the last one used is offered first`() throws {
        let choice = ProviderChoice(returnPath: "/a?b=c&d")
        let query = "&return_to=%2Fa%3Fb%3Dc%26d"
        let usual = ["linkedin", "google", "sso"].map { "/account/login?provider=\($0)\(query)" }
        #expect(try targets(.choice(choice)) == usual)
        let again = try targets(.choice(ProviderChoice(returnPath: "/a?b=c&d", last: ProviderID("sso"))))
        #expect(again == [usual[2], usual[0], usual[1]])
        #expect(try targets(.home(HomePage(choice: choice))) == usual)
        #expect(try targets(.choice(ProviderChoice(returnPath: "/a?b=c&d", last: ProviderID("removed")))) == usual)
    }

    @Test(arguments: Language.builtIn)
    func `each button names its provider, and one line says which was used last`(language: Language) throws {
        let page = try markup(.choice(ProviderChoice(last: Self.google)), language)
        let buttons = page["a"].filter { $0.attributes["class"]?.hasPrefix("control signin") == true }
        #expect(buttons.count == 3)
        for (button, name) in zip(buttons, ["GOOGLE", "LinkedIn", "SSO"]) {
            #expect(button.text.filter { $0 != "\n" } == name)
            #expect(button.attributes["aria-label"]?.contains(name) == true && button.attributes["aria-label"] != name)
        }
        #expect(
            buttons.map { $0.attributes["class"] } == [
                "control signin", "control signin other", "control signin other",
            ]
        )
        #expect(page["span"].count { $0.attributes["class"] == "quiet" } == 1)
        // The first sign-in in a browser: no provider stands out.
        let first = try markup(.choice(ProviderChoice()), language)
        #expect(first["span"].allSatisfy { $0.attributes["class"] != "quiet" })
        #expect(first["a"].count { $0.attributes["class"] == "control signin other" } == 3)
    }

    @Test func `each button has the logo and the color of its own provider`() throws {
        let logos = try ["a", "b"].map { id in
            try Logo(Array("<svg id=\"\(id)\" xmlns=\"http://www.w3.org/2000/svg\"/>".utf8))
        }
        let google = ProviderLabel(
            id: try #require(Self.google),
            name: "Google",
            logo: logos[1],
            color: Color("#8a1538")
        )
        let sso = ProviderLabel(id: try #require(ProviderID("sso")), name: "SSO", color: Color("#fc0"))
        let pages = try PageRenderer(
            templateDirectory: nil,
            provider: ProviderLabel(name: "LinkedIn", logo: logos[0]),
            others: [google, sso]
        )
        for page in [Page.choice(ProviderChoice(last: Self.google)), .home(HomePage(choice: ProviderChoice()))] {
            let markup = try Markup(String(decoding: pages.render(page, language: .english), as: UTF8.self))
            var (provider, marks) = ("", [String: String]())
            for element in markup.elements {
                provider = element.attributes["data-provider"] ?? provider
                if element.attributes["class"] == "mark" { marks[provider] = element.attributes["src"] }
            }
            #expect(marks == ["linkedin": logos[0].url, "google": logos[1].url])
            let style = try #require(markup["style"].first).text
            #expect(style.contains(#".signin[data-provider="google"] { --brand: #8a1538;"#))
            #expect(style.contains(#".signin[data-provider="sso"] { --brand: #ffcc00; "#))
            #expect(style.contains("--on-brand: #000000;"))
            #expect(!style.contains(#"[data-provider="linkedin"]"#))
        }
    }

    @Test func `a page names the provider of the member, and the first one if that is not known`() throws {
        let page = Page.profile(ProfilePage(member: .sample()))
        for (id, name) in [(Self.google, "GOOGLE"), (nil, "LinkedIn"), (ProviderID("removed"), "LinkedIn")] {
            #expect(try markup(page, naming: id)["h1"].map(\.text) == ["Your \(name) profile"])
        }
    }
}
