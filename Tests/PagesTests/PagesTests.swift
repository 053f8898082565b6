import Sessions
import TestSupport
import Testing

@testable import Pages
@testable import Settings

struct PagesTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try Self.shared.get()
    }

    // Shared, because there are about a thousand test cases.
    private static let shared = Result { () throws(TemplateError) in
        try PageRenderer(
            templateDirectory: nil,
            paths: Paths(prefix: "/account"),
            others: [google].compactMap(\.self),
            siteName: "Example Club"
        )
    }

    private static let google = ProviderID("google").map { ProviderLabel(id: $0, name: "Google") }

    private func markup(_ page: Page, _ language: Language = .english) throws -> Markup {
        try Markup(String(decoding: renderer.render(page, language: language, at: "/account/"), as: UTF8.self))
    }

    @Test(arguments: Page.samples, Language.builtIn)
    func `every page is well formed, has a title, one heading and only its own script, and repeats no sentence`(
        page: Page,
        language: Language
    ) throws {
        let markup = try markup(page, language)
        #expect(markup["html"].map(\.attributes) == [["lang": language.tag, "dir": "ltr"]])
        #expect(markup["h1"].count == 1 && markup["h1"].first?.text.isEmpty == false)
        #expect(markup["title"].count == 1 && markup["title"].first?.text.contains("Example Club") == true)
        #expect(markup["a"].first?.text == "Example Club")
        #expect(markup["main"].count == 1 && markup["header"].count == 1)
        let script: String? =
            switch page.content {
            case is KeptFormPage: PageScript.send.text
            case let page as ProfilePage where page.profileURL != nil: PageScript.copy.text
            case let page as TokensPage where page.made != nil: PageScript.copy.text
            default: nil
            }
        #expect(markup["script"].map(\.text) == [script].compactMap(\.self))
        #expect(markup["link"].map(\.attributes["rel"]) == ["icon"])
        #expect(markup["link"].allSatisfy { $0.attributes["href"]?.hasPrefix("data:image/svg+xml,") == true })
        #expect(
            markup.elements.allSatisfy {
                ["script", "style", "html", "head", "body", "main"].contains($0.name) || !$0.text.contains("{")
            }
        )
        // A paragraph of buttons repeats their labels.
        let sentences = ["h1", "h2", "p"].flatMap { markup[$0] }.filter {
            !["actions", "quiet"].contains($0.attributes["class"])
        }
        .map(\.text).filter { $0.count > 4 }
        #expect(Set(sentences).count == sentences.count)
    }

    @Test(arguments: Page.samples)
    func `a line can break after the at sign of each e-mail address`(page: Page) throws {
        let html = String(decoding: renderer.render(page, language: .english, at: "/account/"), as: UTF8.self)
        let main = html[try #require(html.firstRange(of: "<main")).lowerBound...]
        let texts = main.split(separator: "<").compactMap { $0.split(separator: ">", maxSplits: 1).dropFirst().first }
        #expect(texts.filter { $0.contains("@") && !$0.hasSuffix("@") } == [])
    }

    @Test(arguments: Page.samples)
    func `every link leads below the mount prefix or to the provider`(page: Page) throws {
        let markup = try markup(page)
        let targets = (markup["a"] + markup["form"]).compactMap { $0.attributes["href"] ?? $0.attributes["action"] }
        #expect(!targets.isEmpty)
        // "" is the current URL, for a callback that can be repeated; "/" is the site above the mount.
        #expect(
            targets.allSatisfy {
                ["", "/"].contains($0) || $0.hasPrefix("/account/") || $0.hasPrefix("https://www.linkedin.com/")
            }
        )
    }

    @Test(arguments: Page.samples)
    func `all texts of a page are in its language`(page: Page) throws {
        let names = ["title", "h1", "h2", "a", "button", "dt", "p", "label"]
        // The names of the site, the member and tokens, and addresses, are not translated.
        let spoken = { (language: Language) throws in
            let markup = try markup(page, language)
            return names.flatMap { markup[$0] }
                .filter { !["who", "brand", "own", "named", "actions"].contains($0.attributes["class"]) }
                .filter { $0.attributes["lang"] == nil && $0.attributes["data-provider"] == nil }.map(\.text)
        }
        let english = try spoken(.english)
        for language in Language.builtIn where language != .english {
            let own = try spoken(language)
            #expect(own.count == english.count, "\(language.tag)")
            #expect(Set(own).isDisjoint(with: english), "\(language.tag)")
        }
    }

    @Test(arguments: Language.builtIn)
    func `without profile links, pages offer only sign-in, profile and sign-out`(
        language: Language
    ) throws {
        let out = try markup(.home(HomePage(offersLink: false)), language)
        #expect(links(out) == ["/account/", "/account/login"])
        let member = try markup(.home(HomePage(signedIn: .sample(), offersLink: false)), language)
        #expect(member["strong"].map(\.text) == ["Ada Lovelace"] && member["img"].count == 1)
        #expect(links(member) == ["/account/", "/", "/account/profile", "/account/forget"])
        let profile = try markup(.profile(ProfilePage(member: .sample(), offersLink: false)), language)
        #expect(profile["section"].isEmpty && profile["h2"].isEmpty)
    }

    @Test(arguments: ["", "/account"])
    func `the home page shows the profile link once it is known, and links it once`(prefix: String) throws {
        let renderer = try PageRenderer(templateDirectory: nil, paths: Paths(prefix: prefix))
        let home = { (url: String?) in
            let page = Page.home(HomePage(signedIn: .sample(), profileURL: url))
            return try Markup(String(decoding: renderer.render(page, language: .english), as: UTF8.self))
        }
        #expect(try home(nil)["dl"].isEmpty && links(home(nil)).contains("\(prefix)/profile"))
        let page = try home(Page.profileURL)
        // Without another home page, the main button has the link.
        #expect(page["dt"].map(\.text) == (prefix.isEmpty ? [] : ["Profile link"]))
        #expect(page["dd"].map(\.text) == (prefix.isEmpty ? [] : ["www.linkedin.com/in/ada?a=1&b=2"]))
        #expect(links(page).count { $0 == Page.profileURL } == 1)
    }

    @Test(arguments: Language.builtIn)
    func `the language menu has every language in one order, and the language of the page is not a link`(
        language: Language
    ) throws {
        let page = Page.home(HomePage())
        let text = String(decoding: try PageRenderer.shared().render(page, language: language, at: "/"), as: UTF8.self)
        let entries = try Markup(text).elements.filter { $0.name != "html" && $0.attributes["lang"] != nil }
        #expect(entries.map { $0.attributes["lang"] } == Language.builtIn.map(\.tag))
        let current = entries.filter { $0.attributes["href"] == nil }
        #expect(current.map { $0.attributes["lang"] } == [language.tag])
        #expect(current.map { $0.attributes["aria-current"] } == ["true"])
    }

    @Test func `the profile link can be selected, and copied if scripts are allowed`() throws {
        let markup = try markup(.profile(ProfilePage(member: .sample(), profileURL: Page.profileURL)))
        #expect(markup["code"].map(\.text) == [Page.profileURL])
        #expect(markup["p"].contains { $0.attributes["class"] == "own" })
        #expect(markup["button"].map { $0.attributes["hidden"] != nil } == [true])
        #expect(PageScript.allCases.map(\.text).joined().allSatisfy { !"<>&\"'".contains($0) })
    }

    @Test func `the language of a profile has another label than the language menu`() throws {
        let page = try markup(.profile(ProfilePage(member: .sample(), locale: "en_US")))
        #expect(page["dt"].map(\.text) == ["Language at LinkedIn"])
    }

    @Test func `a signed-in member gets a link to the site's home page`() throws {
        let renderer = try PageRenderer(
            templateDirectory: nil,
            paths: Paths(home: Place("/shop", mount: Mount(origin: "https://site.example", path: ""))),
            siteName: "Example Club"
        )
        let markup = { (page: Page) in
            try Markup(String(decoding: renderer.render(page, language: .english), as: UTF8.self))
        }
        // The site's name at the top of every page has the same link.
        let links = { (page: Page) in
            try markup(page)["a"].filter { $0.attributes["href"] == "/shop" }.map(\.text)
        }
        #expect(try links(.home(HomePage(signedIn: .sample()))) == ["Example Club", "Continue to Example Club"])
        #expect(try links(.home(HomePage())) == ["Example Club"])
    }

    @Test func `a visitor who is signed out can only sign in`() throws {
        let markup = try markup(.home(HomePage(profileURL: Page.profileURL)))
        #expect(links(markup) == ["/account/", "/account/login"])
        #expect(markup["ol"].isEmpty && markup["form"].isEmpty)
    }

    @Test func `a signed-in member can fetch the profile, and sign out with a form`() throws {
        let markup = try markup(.home(HomePage(signedIn: .sample(), sessions: 1)))
        #expect(links(markup) == ["/account/", "/", "/account/profile", "/account/forget"])
        #expect(markup["form"].map(\.attributes) == [["method": "post", "action": "/account/logout"]])
        #expect(markup["strong"].map(\.text) == ["Ada Lovelace"])
    }

    @Test(arguments: Language.builtIn)
    func `a member is asked before data is deleted, and reads how many sessions were deleted`(
        language: Language
    ) throws {
        let question = try markup(.forget(.sample()), language)
        #expect(
            question["form"].map(\.attributes) == [["class": "actions", "method": "post", "action": "/account/forget"]]
        )
        #expect(question["button"].count == 1 && question["details"].count == 1)
        #expect(links(question) == ["/account/", "/account/"])
        let done = try markup(.forgotten(sessions: 12), language)
        #expect(done["p"].contains { $0.text.contains("12") } && done["form"].isEmpty)
    }

    @Test func `pages show the profile link after it is fetched`() throws {
        for page in [
            Page.home(HomePage(signedIn: .sample(), profileURL: Page.profileURL)),
            Page.profile(ProfilePage(member: .sample(), profileURL: Page.profileURL)),
        ] {
            #expect(try markup(page)["a"].contains { $0.attributes["href"] == Page.profileURL })
        }
    }

    @Test func `an invalid profile link is not shown`() throws {
        let hostile = "javascript:alert(1)"
        let home = try markup(.home(HomePage(signedIn: .sample(), profileURL: hostile)))
        let profile = try markup(.profile(ProfilePage(member: .sample(), profileURL: hostile)))
        #expect((home.texts + profile.texts).allSatisfy { !$0.contains("javascript") })
    }

    @Test func `pages name the configured provider`() throws {
        let page = Page.profile(ProfilePage(member: .sample()))
        let other = try PageRenderer(templateDirectory: nil, provider: ProviderLabel(name: "Example"))
        let text = String(decoding: other.render(page, language: .english), as: UTF8.self)
        #expect(text.contains("Example") && !text.contains("LinkedIn"))
    }

    @Test(arguments: Language.builtIn)
    func `the sign-out page links to the provider's sign-out page`(language: Language) throws {
        #expect(
            try links(markup(.signedOut(signOutPage: ExternalLink("https://provider.example/logout")), language)) == [
                "/account/", "https://provider.example/logout", "/account/login",
            ]
        )
        #expect(try links(markup(.signedOut(), language)) == ["/account/", "/account/login"])
    }

    @Test func `a picture from another host is replaced by an initial`() throws {
        let page = Page.home(HomePage(signedIn: .sample(picture: "https://evil.example/p.png")))
        let markup = try markup(page)
        #expect(markup["img"].isEmpty)
        #expect(markup["span"].first { $0.attributes["aria-hidden"] == "true" }?.text == "A")
    }

    @Test(arguments: [
        (-5, "from LinkedIn just now.", "刚刚从 LinkedIn 获取。"), (59, "just now.", "刚刚从"), (60, "1 minute ago.", "1 分钟前从"),
        (7_199, "1 hour ago.", "1 小时前从"), (172_800, "2 days ago.", "2 天前从"),
    ])
    func `the profile page shows the age of the profile, rounded down`(
        seconds: Int,
        english: String,
        chinese: String
    ) throws {
        let page = Page.profile(ProfilePage(member: .sample(), fetchedAgo: seconds))
        #expect(try markup(page)["p"].contains { $0.text.contains(english) })
        #expect(try markup(page, .simplifiedChinese)["p"].contains { $0.text.contains(chinese) })
    }
}

/// The targets of the links of a page, without those of the language menu.
private func links(_ markup: Markup) -> [String] {
    markup["a"].compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("/account/language?") }
}
