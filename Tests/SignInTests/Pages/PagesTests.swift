import SignIn
import TestSupport
import Testing

struct PagesTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try PageRenderer(templateDirectory: nil, paths: Paths(prefix: "/account"))
    }

    private func markup(_ page: Page, _ language: Language = .english) throws -> Markup {
        try Markup(String(decoding: renderer.render(page, language: language), as: UTF8.self))
    }

    @Test(arguments: Page.samples, Language.builtIn)
    func `every page is well formed and named, with one heading and no script`(page: Page, language: Language) throws {
        let markup = try markup(page, language)
        #expect(markup["html"].map(\.attributes) == [["lang": language.tag, "dir": "ltr"]])
        #expect(markup["h1"].count == 1 && markup["h1"].first?.text.isEmpty == false)
        #expect(markup["title"].count == 1 && markup["title"].first?.text.isEmpty == false)
        #expect(markup["main"].count == 1 && markup["header"].count == 1)
        var isResume = false
        if case .resume = page { isResume = true }
        #expect(markup["script"].map(\.text) == (isResume ? ["document.forms.resume.submit()"] : []))
        #expect(markup["link"].map(\.attributes["rel"]) == ["icon"])
        #expect(markup["link"].allSatisfy { $0.attributes["href"]?.hasPrefix("data:image/svg+xml,") == true })
        #expect(markup["body"].allSatisfy { !$0.text.contains("{") })
    }

    @Test(arguments: Page.samples)
    func `every link leads below the mount prefix or to the provider`(page: Page) throws {
        let markup = try markup(page)
        let targets = (markup["a"] + markup["form"]).compactMap { $0.attributes["href"] ?? $0.attributes["action"] }
        #expect(!targets.isEmpty)
        #expect(targets.allSatisfy { $0.hasPrefix("/account/") || $0.hasPrefix("https://www.linkedin.com/") })
    }

    @Test(arguments: Page.samples)
    func `what a page says is in its language alone`(page: Page) throws {
        let isHan: (Markup.Element) -> Bool = { $0.text.contains { ("\u{4e00}"..."\u{9fff}").contains($0) } }
        #expect(try markup(page, .english).elements.allSatisfy { !isHan($0) })
        let chinese = try markup(page, .simplifiedChinese)
        let spoken = ["title", "h1", "a", "button", "dt", "p"].flatMap { chinese[$0] }
        // The member's own words and addresses are in no language of ours.
        #expect(spoken.filter { !["who", "quiet address"].contains($0.attributes["class"]) }.allSatisfy(isHan))
    }

    @Test func `a visitor who is signed out can sign in and nothing else`() throws {
        let markup = try markup(.home(HomePage(profileURL: Page.profileURL)))
        #expect(markup["a"].compactMap { $0.attributes["href"] } == ["/account/", "/account/login"])
        let locked = markup["a"].filter { $0.attributes["aria-disabled"] == "true" }
        #expect(locked.map(\.text) == ["Get my profile URL"])
        #expect(locked.allSatisfy { $0.attributes["role"] == "link" && $0.attributes["tabindex"] == nil })
        #expect(markup["form"].isEmpty)
    }

    @Test func `a signed-in member can fetch the profile and sign out by a form`() throws {
        let markup = try markup(.home(HomePage(signedIn: .sample())))
        #expect(markup["a"].compactMap { $0.attributes["href"] } == ["/account/", "/account/profile"])
        #expect(
            markup["a"].filter { $0.attributes["aria-disabled"] == "true" }.map(\.text) == ["Sign in with LinkedIn"]
        )
        #expect(markup["form"].map(\.attributes) == [["method": "post", "action": "/account/logout"]])
        #expect(markup["strong"].map(\.text) == ["Ada Lovelace"])
    }

    @Test func `the profile link is there once it was fetched`() throws {
        for page in [
            Page.home(HomePage(signedIn: .sample(), profileURL: Page.profileURL)),
            Page.profile(ProfilePage(member: .sample(), profileURL: Page.profileURL)),
        ] {
            #expect(try markup(page)["a"].contains { $0.attributes["href"] == Page.profileURL })
        }
    }

    @Test func `a profile link that is none is not made one`() throws {
        let hostile = "javascript:alert(1)"
        let home = try markup(.home(HomePage(signedIn: .sample(), profileURL: hostile)))
        let profile = try markup(.profile(ProfilePage(member: .sample(), profileURL: hostile)))
        #expect((home.texts + profile.texts).allSatisfy { !$0.contains("javascript") })
    }

    @Test func `the pages name the provider that is configured`() throws {
        let page = Page.profile(ProfilePage(member: .sample()))
        let other = try PageRenderer(templateDirectory: nil, provider: ProviderLabel(name: "Example"))
        let text = String(decoding: other.render(page, language: .english), as: UTF8.self)
        #expect(text.contains("Example") && !text.contains("LinkedIn"))
    }

    @Test(arguments: Language.builtIn)
    func `after sign-out the page links to the provider's own sign-out`(language: Language) throws {
        let targets = try markup(.signedOut(), language)["a"].compactMap { $0.attributes["href"] }
        #expect(targets == ["/account/", "https://www.linkedin.com/m/logout/", "/account/login"])
    }

    @Test func `a picture from elsewhere is replaced by an initial`() throws {
        let page = Page.home(HomePage(signedIn: .sample(picture: "https://evil.example/p.png")))
        let markup = try markup(page)
        #expect(markup["img"].isEmpty)
        #expect(markup["span"].first { $0.attributes["aria-hidden"] == "true" }?.text == "A")
    }

    @Test(arguments: [
        (-5, "from LinkedIn just now.", "刚刚从 LinkedIn 获取。"), (59, "just now.", "刚刚从"), (60, "1 minute ago.", "1 分钟前从"),
        (7_199, "1 hour ago.", "1 小时前从"), (172_800, "2 days ago.", "2 天前从"),
    ])
    func `the profile page tells its age, rounded down`(seconds: Int, english: String, chinese: String) throws {
        let page = Page.profile(ProfilePage(member: .sample(), fetchedAgo: seconds))
        #expect(try markup(page)["p"].contains { $0.text.contains(english) })
        #expect(try markup(page, .simplifiedChinese)["p"].contains { $0.text.contains(chinese) })
    }
}
