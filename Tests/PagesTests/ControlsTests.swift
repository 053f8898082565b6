import TestSupport
import Testing

@testable import Pages
@testable import Settings

/// Which controls of a page stand out.
struct ControlsTests {
    private static let mount = Mount(origin: "https://site.example", path: "")

    private func markup(_ page: Page, home: String? = nil) throws -> Markup {
        let paths = Paths(Self.mount, home: home.flatMap { Place($0, mount: Self.mount) })
        let renderer = try PageRenderer(templateDirectory: nil, paths: paths, siteName: "Example Club")
        return try Markup(String(decoding: renderer.render(page, language: .english), as: UTF8.self))
    }

    private func controls(_ markup: Markup, _ kind: String) -> [String] {
        markup.elements.filter { $0.attributes["class"]?.split(separator: " ").contains(kind[...]) == true }.map(\.text)
    }

    @Test(arguments: [
        (nil, false, nil, "Show my LinkedIn details"),
        (nil, true, nil, "Show my profile link"),
        (nil, true, Page.profileURL, "Open my LinkedIn profile"),
        ("/members/", false, nil, "Continue to Example Club"),
        ("/members/", true, nil, "Continue to Example Club"),
        ("/members/", true, Page.profileURL, "Continue to Example Club"),
    ])
    func `the home page of a member has one primary control`(
        home: String?,
        offersLink: Bool,
        profileURL: String?,
        control: String
    ) throws {
        let page = HomePage(
            signedIn: .sample(),
            sessions: 3,
            profileURL: profileURL,
            offersLink: offersLink,
            offersTokens: true
        )
        let markup = try markup(.home(page), home: home)
        #expect(controls(markup, "primary") == [control])
        #expect(controls(markup, "signin").isEmpty && controls(markup, "danger").isEmpty)
    }

    @Test func `after a sign-out, the primary control is the sign-out at the provider, if its page is known`() throws {
        let pages = [ExternalLink("https://provider.example/logout"), nil]
        let markups = try pages.map { try markup(.signedOut(signOutPage: $0)) }
        #expect(markups.map { controls($0, "primary") } == [["Sign out at LinkedIn"], ["Sign in again"]])
        #expect(controls(markups[0], "control") == ["Sign out at LinkedIn", "Sign in again"])
    }

    @Test func `the page that deletes data warns in red and last, and hides long paragraphs`() throws {
        let markup = try markup(.forget(.sample(), deletesTokens: true))
        #expect(controls(markup, "danger") == ["Delete my data"] && controls(markup, "primary").isEmpty)
        let details = try #require(markup["details"].first)
        let open = markup["p"].filter { !details.text.contains($0.text) }
        #expect(open.map { $0.attributes["class"] } == ["who", "lead", nil, nil])
        #expect(open.suffix(2).map(\.text) == ["Your personal tokens are deleted too.", "This cannot be undone."])
        #expect(details.attributes["open"] == nil && details.text.contains("Log files and backups are kept"))
    }
}
