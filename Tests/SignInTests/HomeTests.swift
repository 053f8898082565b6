import HTTP
import Testing

@testable import Pages
@testable import Settings
@testable import SignIn

struct HomeTests {
    private func send(_ browser: inout TestBrowser, _ target: String) async throws -> String {
        String(decoding: try await browser.send(.get, target).body, as: UTF8.self)
    }

    private func signOut(_ browser: inout TestBrowser, returnTo path: String? = nil) async throws -> String? {
        let body = path.map { FormData(["return_to": $0]).encoded } ?? ""
        let headers: [(HeaderName, String)] = [
            (.secFetchSite, "same-origin"), (.contentType, "application/x-www-form-urlencoded"),
        ]
        let response = try await browser.send(.post, "/account/logout", headers: headers, body: [UInt8](body.utf8))
        #expect(response.status == .seeOther)
        return response.headers[.location]
    }

    @Test(arguments: ["/members/?a=b", "https://www.example.com/start"])
    func `links, sign-in and sign-out lead to the home page of the site`(home: String) async throws {
        let test = try TestSite(prefix: "/account", settings: ["SIGNIN_HOME": home, "SIGNIN_AFTER_SIGN_OUT": home])
        var browser = TestBrowser(test)
        let link = "href=\"\(home.replacing("&", with: "&amp;"))\""
        #expect(try await send(&browser, "/account/nothing").contains(link))
        let state = try browser.state(in: try await browser.send(.get, "/account/login"))
        #expect(try await browser.send(.head, "/account/oauth").headers[.location] == home)
        let callback = "/account/oauth?code=code-of-alice&state=\(state)"
        #expect(try await browser.send(.get, callback).headers[.location] == home)
        #expect(try await browser.send(.get, callback).headers[.location] == home, "a reload leads elsewhere")
        #expect(try await send(&browser, "/account/profile").contains(link))
        #expect(try await signOut(&browser) == home)
    }

    @Test(arguments: ["", "/account"])
    func `without settings, home is the path of the site and signing out has its own page`(prefix: String) async throws
    {
        var browser = TestBrowser(try TestSite(prefix: prefix))
        let state = try browser.state(in: try await browser.send(.get, prefix + "/login"))
        let answer = try await browser.send(.get, "\(prefix)/oauth?code=code-of-alice&state=\(state)")
        #expect(answer.headers[.location] == prefix + "/")
        let out = try await browser.send(.post, prefix + "/logout", headers: [(.secFetchSite, "same-origin")])
        #expect(out.headers[.location] == prefix + "/logout")
        #expect(try await send(&browser, prefix + "/logout").contains("You are signed out of"))
    }

    @Test func `GET of the sign-out address shows the button and does not sign out`() async throws {
        var browser = TestBrowser(try TestSite())
        try await browser.signIn()
        for _ in 0..<2 {
            let page = try await browser.send(.get, "/logout")
            #expect(page.status == .ok && page.headers[.referrerPolicy] == "same-origin")
            #expect(String(decoding: page.body, as: UTF8.self).contains("method=\"post\" action=\"/logout\""))
        }
        #expect(try await browser.send(.get, "/profile").status == .ok)
    }

    @Test func `signing out to use another account leads to a page that leads back`() async throws {
        var browser = TestBrowser(try TestSite(prefix: "/account", settings: ["SIGNIN_AFTER_SIGN_OUT": "/bye"]))
        for (path, isKept) in [("/private/a?x=1", true), ("//evil.example", false), ("/account/login", false)] {
            let location = try #require(try await signOut(&browser, returnTo: path))
            guard isKept else {
                #expect(location == "/bye")
                continue
            }
            #expect(location == "/account/logout?return_to=%2Fprivate%2Fa%3Fx%3D1")
            let page = try await send(&browser, location)
            #expect(page.contains("href=\"/account/login?return_to=%2Fprivate%2Fa%3Fx%3D1\""))
            #expect(page.contains("After you sign in again, you go to this page: <bdi>/private/a?x=1</bdi>"))
            #expect(page.contains("https://www.linkedin.com/m/logout/") && page.contains("to use another account"))
        }
        let page = try await send(&browser, "/account/logout?return_to=https://evil.example")
        // The links to other languages lead back to this page, byte for byte.
        #expect(page.contains("href=\"/account/login\"") && !page.contains("https://evil"))
        #expect(!page.contains("you go to this page"))
    }

    @Test(arguments: [
        "//evil.example", "/\\evil.example", "http://example.com/", "javascript:alert(1)", "members", "/a b", "/login",
        "/oauth?x", "/logout", "https://user@example.com", "https://example.com/?a=b", "/%2f/evil.example",
    ])
    func `a home page is a path or an https address`(text: String) throws {
        for name in ["SIGNIN_HOME", "SIGNIN_AFTER_SIGN_OUT"] {
            let error = #expect(throws: ConfigurationError.self) { try TestSite(settings: [name: text]) }
            #expect(error?.problems.map(\.subject) == [name])
        }
    }

    @Test func `the sign-out form may lead only to the site in the settings`() throws {
        let renderer = try PageRenderer(templateDirectory: nil, formTargets: ["https://www.example.com"])
        #expect(renderer.contentSecurityPolicy.contains("form-action 'self' https://www.example.com;"))
        #expect(try PageRenderer(templateDirectory: nil).contentSecurityPolicy.contains("form-action 'self';"))
    }

    @Test func `a member the rule rejects can send the kept form with another account`() async throws {
        let test = try TestSite()
        var visit = FormVisit(test)
        visit.require = "subject=bob"
        let page = try await visit.signIn(after: try await visit.post())
        let denied = try await visit.post(type: "text/plain", body: FormVisit.field(of: page))
        let html = String(decoding: denied.body, as: UTF8.self)
        let path = try #require(html.split(separator: "name=\"return_to\" value=\"").last).prefix { $0 != "\"" }
        let body = FormData(["return_to": String(path)]).encoded
        let headers: [(HeaderName, String)] = [(.secFetchSite, "same-origin")]
        try await visit.browser.send(.post, "/logout", headers: headers, body: [UInt8](body.utf8))
        try await visit.browser.signIn(as: "bob")
        _ = try await visit.press(try await visit.browser.send(.get, String(path)))
        #expect(visit.arrived().count == 1)
    }
}
