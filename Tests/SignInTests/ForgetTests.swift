import Foundation
import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

/// A member deletes everything that the site stores about them.
struct ForgetTests {
    private let site: FaultyStoreSite
    private var faults: Faults { site.faults }
    private var test: TestSite { site.test }
    private let own: [(HeaderName, String)] = [(.secFetchSite, "same-origin"), (.accept, "text/html")]

    init() throws {
        site = try FaultyStoreSite()
    }

    @Test func `deleting ends the member's sessions in all browsers and no other member's`() async throws {
        var first = try await site.member()
        var second = try await site.member()
        var other = try await site.member("bob")
        let question = try await first.send(.get, "/forget")
        #expect(String(decoding: question.body, as: UTF8.self).contains("method=\"post\" action=\"/forget\""))
        #expect(question.headers[.referrerPolicy] == "same-origin")
        #expect(!String(decoding: question.body, as: UTF8.self).contains("personal tokens"), "the site has none")
        #expect(try await site.isSignedIn(first), "the question changes nothing")
        let before = first
        let answer = try await first.send(.post, "/forget", headers: own)
        #expect(answer.status == .seeOther && answer.headers[.clearSiteData] == "\"cache\"")
        let page = try await first.send(.get, try #require(answer.headers[.location]))
        #expect(String(decoding: page.body, as: UTF8.self).contains("You are signed out in 2 browsers."))
        #expect(first.cookies == ["__Host-ended": "2-0"])
        for browser in [before, second] { #expect(try await site.isSignedIn(browser) == false) }
        #expect(try await site.isSignedIn(other))
        let line = try #require(test.lines.texts.last { $0.contains("data-deleted") })
        #expect(line.contains("sessions=2") && line.contains("subject=alice"))
        let late = try await second.send(.post, "/forget", headers: own)
        #expect(late.status == .unauthorized)
        #expect(String(decoding: late.body, as: UTF8.self).contains("<h1>Nothing was changed or deleted</h1>"))
        #expect(try await other.send(.get, "/forget").status == .ok)
    }

    @Test func `a page that names another member than the session deletes nothing and ends no session`() async throws {
        var first = try await site.member()
        _ = try await site.member()
        var browser = try await site.member("bob")
        let form = own + [(.contentType, "application/x-www-form-urlencoded")]
        for (path, field) in [("/forget", ""), ("/", "everywhere=yes&")] {
            let page = String(decoding: try await first.send(.get, path).body, as: UTF8.self)
            let id = try #require(page.firstMatch(of: /name="member" value="([^"]+)"/)?.1)
            let body = [UInt8]("\(field)member=\(id)".utf8)
            let answer = try await browser.send(.post, path == "/" ? "/logout" : path, headers: form, body: body)
            #expect(answer.status == .conflict)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Nothing was changed"))
            for each in [browser, first] { #expect(try await site.isSignedIn(each)) }
        }
        let page = String(decoding: try await browser.send(.get, "/forget").body, as: UTF8.self)
        let id = try #require(page.firstMatch(of: /name="member" value="([^"]+)"/)?.1)
        let body = [UInt8]("member=\(id)".utf8)
        #expect(try await browser.send(.post, "/forget", headers: form, body: body).status == .seeOther)
    }

    @Test func `a visitor without a session signs in first`() async throws {
        var browser = TestBrowser(test)
        let answer = try await browser.send(.get, "/forget")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/login?return_to=%2Fforget")
        #expect(try await browser.signIn(returnTo: "/forget").headers[.location] == "/forget")
        #expect(try await browser.send(.get, "/forget").status == .ok)
    }

    @Test(arguments: [
        [(HeaderName.secFetchSite, "cross-site")], [(.secFetchSite, "same-site")],
        [(.origin, "https://evil.example")], [(.origin, "null")],
    ])
    func `other sites cannot delete a member's data`(headers: [(HeaderName, String)]) async throws {
        var browser = try await site.member()
        let answer = try await browser.send(.post, "/forget", headers: headers)
        #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil)
        #expect(test.lines.reasons == ["cross-site"])
        #expect(try await site.isSignedIn(browser))
    }

    @Test(arguments: [true, false])
    func `a later sign-in or sign-out in the browser ends the report of a deletion`(isSignIn: Bool) async throws {
        var browser = try await site.member()
        _ = try await browser.send(.post, "/forget", headers: own)
        #expect(try await browser.send(.get, "/forget").status == .ok)
        if isSignIn {
            try await browser.signIn()
            browser.forget("__Host-session")
        } else {
            _ = try await browser.send(.post, "/logout", headers: own)
        }
        #expect(try await browser.send(.get, "/forget").status == .seeOther)
    }

    @Test(arguments: ["", "1", "1-", "-", "x-0", "1-0-0", "-1-0", "1--0", "sessions", "99999999999999999999-0"])
    func `a cookie with another text reports no deletion`(value: String) async throws {
        var browser = TestBrowser(test)
        browser.plant("__Host-ended", value)
        #expect(try await browser.send(.get, "/forget").headers[.location] == "/login?return_to=%2Fforget")
        // The second request of a double click can find no session.
        browser.plant("__Host-ended", "0-0")
        let page = String(decoding: try await browser.send(.get, "/forget").body, as: UTF8.self)
        #expect(page.contains("You are signed out."))
    }

    @Test(arguments: [FileSystem.Call.unlink, .readdir, .fsync])
    func `a deletion that fails says so and can be repeated`(call: FileSystem.Call) async throws {
        var browser = try await site.member()
        let second = try await site.member()
        faults.fail(call)
        let answer = try await browser.send(.post, "/forget", headers: own)
        #expect(answer.status == .serviceUnavailable && answer.headers[.setCookie] == nil)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("We could not delete everything") && page.contains("href=\"/forget\""))
        #expect(test.lines.reasons == ["store-unusable"])
        faults.fail(nil)
        // After a failed fsync, the session is gone too.
        if call == .fsync { try await browser.signIn() }
        #expect(try await browser.send(.post, "/forget", headers: own).status == .seeOther)
        for browser in [browser, second] { #expect(try await site.isSignedIn(browser) == false) }
    }

    private func keptForms() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: test.directory.path("state/kept")).count
    }

    @Test func `deleting removes the forms that the browser's cookies open`() async throws {
        var visit = FormVisit(test)
        _ = try await visit.signIn(after: try await visit.post())
        #expect(try keptForms() == 1)
        #expect(try await visit.browser.send(.post, "/forget", headers: own).status == .seeOther)
        #expect(try keptForms() == 0)
    }
}
