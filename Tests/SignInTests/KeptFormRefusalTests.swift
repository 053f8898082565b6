import Foundation
import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

struct KeptFormRefusalTests {
    private let test: TestSite
    private var visit: FormVisit

    init() throws {
        test = try TestSite()
        visit = FormVisit(test)
    }

    private func fail(_ code: TransportError.Code, isUnsent: Bool? = nil) {
        test.provider.answer { request throws(TransportError) in
            guard request.url.hasPrefix(TestSite.origin) else { return nil }
            throw TransportError(code, isUnsent: isUnsent)
        }
    }

    private func files() throws -> [String] {
        let path = test.directory.path("state/kept")
        return try FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" }
    }

    @Test(arguments: [TransportError.Code.unreachable, .untrusted, .busy, .timedOut])
    mutating func `a form that was not sent stays kept for a retry`(code: TransportError.Code) async throws {
        let page = try await visit.signIn(after: try await visit.post())
        fail(code, isUnsent: code == .timedOut ? true : nil)
        let answer = try await visit.press(page)
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("/resume?form="))
        test.provider.answer { _ in nil }
        #expect(try await visit.press(page).status == .notFound, "the application's own answer")
        #expect(visit.arrived().count == 2)
    }

    @Test(arguments: [
        (TransportError.Code.timedOut, 504), (.malformed, 502), (.tooLarge, 502), (.cancelled, 502),
        (.unreachable, 502),
    ])
    mutating func `a form that may have been sent is not sent again`(
        code: TransportError.Code,
        status: Int
    ) async throws {
        let page = try await visit.signIn(after: try await visit.post())
        fail(code, isUnsent: false)
        #expect(try await visit.press(page).status.code == status)
        #expect(try await visit.press(page).status == .conflict)
        #expect(visit.arrived().count == 1)
        #expect(try files().isEmpty)
    }

    @Test mutating func `a form is sent only to its own address`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        #expect(try await visit.press(page, at: "/private/other").status == .forbidden)
        #expect(visit.arrived().isEmpty && visit.arrived("/private/other").isEmpty)
        _ = try await visit.press(page)
        #expect(visit.arrived().count == 1)
    }

    @Test mutating func `a cookie of one kept form does not open the page of another`() async throws {
        _ = try await visit.signIn(after: try await visit.post())
        let prefix = "__Host-resume-"
        let cookie = try #require(visit.browser.cookies.first { $0.key.hasPrefix(prefix) })
        visit.browser.plant(prefix + "AAAAAAAA", cookie.value)
        #expect(try await visit.browser.send(.get, "/resume?form=AAAAAAAA").status == .gone)
        let label = cookie.key.dropFirst(prefix.count)
        #expect(try await visit.browser.send(.get, "/resume?form=\(label)").status == .ok)
    }

    @Test mutating func `a wrong proof, another browser's cookie or another site cannot send a form`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        let field = try FormVisit.field(of: page)
        let label = String(decoding: field, as: UTF8.self).split(separator: "=")[1].prefix(8)
        let forged = [UInt8]("linkedin-signin-form=\(label).\(String(repeating: "A", count: 43))\r\n".utf8)
        #expect(try await visit.send(forged).status == .forbidden)
        #expect(try await visit.press(page, site: "cross-site").status == .forbidden)
        #expect(try await visit.press(page, site: "same-site").status == .forbidden)
        var other = FormVisit(test)
        let otherPage = try await other.signIn(after: try await other.post("/private/x"), as: "bob")
        #expect(try await other.send(field).status == .gone)
        #expect(visit.arrived().isEmpty)
        #expect(otherPage.status == .ok)
        _ = try await visit.press(page)
        #expect(visit.arrived().count == 1)
    }

    @Test mutating func `the rule of the location decides when the form is sent`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        visit.require = "subject=somebody-else"
        #expect(try await visit.post(type: "text/plain", action: "authorize", body: []).status == .forbidden)
        let refused = try await visit.post(type: "text/plain", body: FormVisit.field(of: page))
        #expect(refused.status == .forbidden && visit.arrived().isEmpty)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("resume"), "another account may send it")
        let denied = try await visit.post(type: "text/plain", action: "denied", body: [])
        #expect(String(decoding: denied.body, as: UTF8.self).contains("resume"))
        visit.require = ""
        #expect(try await visit.post(type: "text/plain", body: FormVisit.field(of: page)).status == .forbidden)
        visit.require = "member"
        _ = try await visit.press(page)
        #expect(visit.arrived().count == 1)
    }

    @Test mutating func `without a session, the page leads to sign-in and back to itself`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        visit.browser.plant("__Host-session", "")
        let answer = try await visit.press(page)
        let resume = try #require(answer.headers[.location])
        #expect(resume.hasPrefix("/resume?form=") && visit.arrived().isEmpty)
        let login = try await visit.browser.send(.get, resume)
        #expect(login.headers[.location]?.hasPrefix("/login?return_to=%2Fresume") == true)
    }

    @Test mutating func `after signing out, the next person cannot send the form`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        try await visit.browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
        #expect(Array(visit.browser.cookies.values) == ["gone"])
        try await visit.browser.signIn(as: "bob")
        #expect(try await visit.press(page).status == .gone)
        #expect(visit.arrived().isEmpty)
    }

    @Test mutating func `the page of an expired form leads to a page that explains it`() async throws {
        let kept = try await visit.post()
        let callback = try await visit.browser.send(
            .get,
            "/oauth?code=code-of-alice&state=\(try visit.state(in: kept))"
        )
        // The page can be open for longer than the form is kept, so the cookie must last longer too.
        let cookie = try #require(callback.headers.values(.setCookie).first { $0.hasPrefix("__Host-resume-") })
        #expect(!cookie.contains("Max-Age"))
        let page = try await visit.browser.send(.get, try #require(callback.headers[.location]))
        test.clock.advance(by: 601)
        let answer = try await visit.press(page)
        #expect(answer.status == .gone && visit.arrived().isEmpty)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("no longer here"))
    }

    @Test(arguments: ["cut", "changed", "foreign", "empty", "link"])
    mutating func `a damaged or replaced file is not accepted as a form`(damage: String) async throws {
        let page = try await visit.signIn(after: try await visit.post())
        let path = try #require(try files().first)
        var content = try Data(contentsOf: URL(filePath: path))
        switch damage {
        case "cut": content.removeLast()
        case "changed": content[content.count / 2] ^= 1
        case "foreign":
            var other = FormVisit(test)
            _ = try await other.post(body: [9])
            let otherPath = try #require(try files().first { $0 != path })
            content = try Data(contentsOf: URL(filePath: otherPath))
        case "link":
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        default: content = Data()
        }
        if damage != "link" { try content.write(to: URL(filePath: path)) }
        let resume = try #require(visit.browser.cookies.keys.first { $0.hasPrefix("__Host-resume-") })
        var seen = visit
        let shown = try await seen.browser.send(.get, "/resume?form=" + resume.dropFirst("__Host-resume-".count))
        let answer = try await visit.press(page)
        for answer in [shown, answer] {
            #expect(answer.status == .internalServerError)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("could not be opened"))
        }
        #expect(visit.arrived().isEmpty)
        let lines = test.lines.texts.filter { $0.contains("event=form-damaged") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(" reason=store-damaged subject=alice remote=") })
        #expect(try await visit.press(page).status == .gone && visit.arrived().isEmpty)
        #expect(try await visit.browser.send(.get, "/resume?form=\(resume.suffix(8))").status == .gone)
    }

    @Test mutating func `a failing disk loses the form but does not stop the sign-in`() async throws {
        let disk = Faults()
        let broken = try TestSite(files: FileSystem { disk.number(for: $0) })
        visit = FormVisit(broken)
        disk.fail(.link)
        #expect(try await visit.post().status == .unauthorized)
        #expect(broken.lines.reasons == ["store-unusable"])
        disk.fail(nil)
        let page = try await visit.signIn(after: try await visit.post())
        disk.fail(.rename)
        #expect(try await visit.press(page).status == .serviceUnavailable)
        disk.fail(nil)
        _ = try await visit.press(page)
        #expect(visit.arrived().count == 1)
    }

    @Test mutating func `log lines and files contain no readable part of a form, its key or its proof`()
        async throws
    {
        let secret = "canary of the form"
        let page = try await visit.signIn(after: try await visit.post(body: [UInt8](secret.utf8)))
        let path = "/private/form"
        var secrets = visit.browser.cookies.values + [secret, FormVisit.multipart]
        secrets.append(String(decoding: try FormVisit.field(of: page), as: UTF8.self).filter { !$0.isNewline })
        for file in try files() {
            let content = try Data(contentsOf: URL(filePath: file))
            for secret in secrets + [path] { #expect(content.range(of: Data(secret.utf8)) == nil) }
        }
        _ = try await visit.press(page)
        // The log names the location, as for every decision.
        for secret in secrets { #expect(!test.lines.texts.contains { $0.contains(secret) }) }
    }

    @Test mutating func `a text/plain form of the application is sent with the browser's own headers`() async throws {
        _ = try await visit.signIn(after: try await visit.post())
        let answer = try await visit.post(type: "text/plain", origin: "https://www.site.example", site: "same-site")
        #expect(answer.status == .notFound, "the application's own answer")
        let arrived = try #require(visit.arrived().first)
        #expect(arrived.body == FormVisit.body && arrived.headers[.contentType] == "text/plain")
        #expect(arrived.headers[.origin] == "https://www.site.example" && arrived.headers[.secFetchSite] == "same-site")
    }

    @Test mutating func `every other POST of a member passes unchanged`() async throws {
        _ = try await visit.signIn(after: try await visit.post())
        for type in ["application/x-www-form-urlencoded", FormVisit.multipart, "application/json"] {
            #expect(try await visit.post(type: type, action: "authorize", body: []).status == .ok)
        }
        var stranger = TestBrowser(test)
        try await stranger.signIn()
        let server = ["SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "member"]
        let headers: [(HeaderName, String)] = [(.accept, "text/html"), (.contentType, "text/plain")]
        #expect(try await stranger.send(.post, "/a", headers: headers, parameters: server).status == .ok)
    }
}
