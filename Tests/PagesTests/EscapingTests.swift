import Pages
import TestSupport
import Testing

struct EscapingTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try .shared()
    }

    private func markup(_ page: Page) throws -> Markup {
        try Markup(String(decoding: renderer.render(page, language: .english), as: UTF8.self))
    }

    @Test(arguments: HostileText.all)
    func `hostile text stays text on every page that shows it`(text: String) throws {
        let pages: [(String) -> Page] = [
            { .home(HomePage(signedIn: .sample(name: $0, email: $0))) },
            { .profile(ProfilePage(member: .sample(name: $0, email: $0), locale: $0)) },
            { .problem(Problem(.accountNotAllowed, requestID: $0, account: .sample(name: $0, email: $0))) },
        ]
        for page in pages {
            let hostile = try markup(page(text))
            #expect(hostile.skeleton == (try markup(page("harmless")).skeleton))
            #expect(hostile.texts.contains { $0.unicodeScalars.elementsEqual(text.unicodeScalars) })
        }
    }

    @Test(arguments: HostileText.all)
    func `hostile text as a URL changes only the URL`(text: String) throws {
        let page = Page.home(HomePage(signedIn: .sample(picture: text), profileURL: text))
        #expect(try markup(page).skeleton == markup(.home(HomePage(signedIn: .sample(picture: nil)))).skeleton)
        for host in ["https://media.licdn.com/", "https://www.linkedin.com/in/"] {
            let markup = try markup(.home(HomePage(signedIn: .sample(picture: host + text), profileURL: host + text)))
            let addresses = (markup["img"] + markup["a"]).compactMap { $0.attributes["src"] ?? $0.attributes["href"] }
            #expect(addresses.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix(host) })
        }
    }

    @Test func `control characters in texts are replaced`() throws {
        let markup = try markup(.home(HomePage(signedIn: .sample(name: "a\u{0}b\u{1b}[2Jc\u{7f}"))))
        #expect(markup["strong"].map(\.text) == ["a\u{fffd}b\u{fffd}[2Jc\u{fffd}"])
    }
}
