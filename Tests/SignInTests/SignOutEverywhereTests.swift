import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

/// A member ends all of their sessions with one button.
struct SignOutEverywhereTests {
    private let site: FaultyStoreSite
    private var faults: Faults { site.faults }
    private var test: TestSite { site.test }
    private let form: [(HeaderName, String)] = [
        (.secFetchSite, "same-origin"), (.accept, "text/html"), (.contentType, "application/x-www-form-urlencoded"),
    ]
    private let button = "name=\"everywhere\""

    init() throws {
        site = try FaultyStoreSite()
    }

    private func home(_ browser: TestBrowser) async throws -> String {
        var browser = browser
        return String(decoding: try await browser.send(.get, "/").body, as: UTF8.self)
    }

    private func press(_ browser: inout TestBrowser) async throws -> Response {
        try await browser.send(.post, "/logout", headers: form, body: [UInt8]("everywhere=yes".utf8))
    }

    @Test func `the button ends the member's sessions in all browsers and no other member's`() async throws {
        var first = try await site.member()
        let page = try await home(first)
        #expect(!page.contains(button), "this is the only session")
        let second = try await site.member()
        let other = try await site.member("bob")
        let pageOfTwo = try await home(first)
        #expect(pageOfTwo.contains("2 browsers are signed in to your account.") && pageOfTwo.contains(button))
        let before = first
        let answer = try await press(&first)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/logout")
        #expect(first.cookies == ["__Host-ended": "sessions"] && answer.headers[.clearSiteData] == "\"cache\"")
        for browser in [before, second] { #expect(try await site.isSignedIn(browser) == false) }
        #expect(try await site.isSignedIn(other))
        let line = try #require(test.lines.texts.last { $0.contains("signed-out") })
        #expect(line.contains("sessions=2") && line.contains("subject=alice"))
    }

    @Test(arguments: ["", "return_to=%2Fprivate", "everywhere=yes&everywhere=no", "elsewhere=yes"])
    func `signing out in one browser leaves the others signed in`(body: String) async throws {
        var first = try await site.member()
        let second = try await site.member()
        let answer = try await first.send(.post, "/logout", headers: form, body: [UInt8](body.utf8))
        #expect(answer.status == .seeOther && first.cookies.isEmpty)
        #expect(try await site.isSignedIn(second))
    }

    @Test func `other sites cannot press the button`() async throws {
        var browser = try await site.member()
        let headers: [(HeaderName, String)] = [(.secFetchSite, "cross-site")] + form.dropFirst()
        let answer = try await browser.send(.post, "/logout", headers: headers, body: [UInt8]("everywhere=yes".utf8))
        #expect(answer.status == .forbidden)
        #expect(try await site.isSignedIn(browser))
    }

    @Test(arguments: [FileSystem.Call.unlink, .readdir, .fsync])
    func `a failure says so and the button works afterwards`(call: FileSystem.Call) async throws {
        var browser = try await site.member()
        let second = try await site.member()
        faults.fail(call)
        let answer = try await press(&browser)
        #expect(answer.status == .serviceUnavailable && answer.headers[.setCookie] == nil)
        #expect(answer.headers[.retryAfter] == "30")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("could not sign you out in all browsers"))
        faults.fail(nil)
        _ = try await press(&browser)
        #expect(try await site.isSignedIn(second) == false)
    }

    @Test func `without a session, the page asks to sign in and does not claim that anything ended`() async throws {
        var first = try await site.member()
        var second = first
        _ = try await press(&first)
        let answer = try await press(&second)
        #expect(answer.status == .unauthorized)
    }

    @Test(arguments: [FileSystem.Call.open, .read])
    func `if the session cannot be read, the page says that sessions remain`(call: FileSystem.Call) async throws {
        var browser = try await site.member()
        let second = try await site.member()
        faults.fail(call)
        let answer = try await press(&browser)
        #expect(answer.status == .serviceUnavailable && answer.headers[.setCookie] == nil)
        faults.fail(nil)
        #expect(try await site.isSignedIn(second))
    }

    @Test func `the home page offers the button without a number if the sessions cannot be counted`() async throws {
        let browser = try await site.member()
        faults.fail(.readdir)
        let page = try await home(browser)
        #expect(page.contains(button) && !page.contains("browsers."))
    }
}
