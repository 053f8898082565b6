import Glibc
import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

struct GuardTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite(contact: "help@example.com")
        browser = TestBrowser(test)
    }

    /// Creates a session of a member with an email address, because members of the scripted provider have none.
    private mutating func signInZoe(verified: Bool = true) async throws {
        var session = Session.example(created: test.clock.now, expires: test.clock.now.addingTimeInterval(3600))
        session.identity.emailVerified = verified
        try await browser.plant(session)
    }

    private static let page: [(HeaderName, String)] = [
        (.accept, "text/html"), (.secFetchMode, "navigate"), (.secFetchDest, "document"),
    ]

    private mutating func ask(
        _ action: String,
        rule: String?,
        _ target: String = "/private/a%20b?x=1&y=%2F&z={|}",
        method: Method = .get,
        headers: [(HeaderName, String)] = page,
        reason: String? = nil
    ) async throws -> Response {
        var parameters = ["SIGNIN_ACTION": action]
        parameters["SIGNIN_REQUIRE"] = rule
        parameters["SIGNIN_REASON"] = reason
        return try await browser.send(method, target, headers: headers, parameters: parameters)
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PROPFIND"])
    mutating func `the check answers every method with 200, 401 or 403`(method: String) async throws {
        let method = Method(rawValue: method)
        #expect(try await ask("authorize", rule: "member", method: method).status == .unauthorized)
        #expect(try await ask("authorize", rule: "anyone", method: method).status == .ok)
        #expect(try await ask("authorize", rule: nil, method: method).status == .forbidden)
        try await signInZoe()
        let admitted = try await ask("authorize", rule: "email-domain=example.com", method: method)
        #expect(admitted.status == .ok)
        #expect(admitted.headers[.xAuthSubject] == "782bbtaQ")
        #expect(admitted.headers[.xAuthEmail] == "zoe@example.com")
        #expect(admitted.headers[.xAuthName] == "UTF-8''Zo%C3%AB%20%E6%9D%8E")
        #expect(admitted.headers[.setCookie] == nil)
        #expect(try await ask("authorize", rule: "email-domain=other.org", method: method).status == .forbidden)
    }

    @Test mutating func `checks with a session cookie need no task`() async throws {
        try await signInZoe()
        let cookie = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        func status(_ parameters: [String: String], role: Request.Role = .responder) -> Status? {
            let (cookies, parameters) = (Cookies([cookie]), ServerParameters(parameters))
            let request = Request(role: role, cookies: cookies, serverParameters: parameters)
            guard case .now(let response) = test.site.respondAtOnce(to: request, or: UnusedAnswer()) else { return nil }
            return response.status
        }
        #expect(status(["SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "member"]) == .ok)
        #expect(status(["SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "email-domain=other.org"]) == .forbidden)
        #expect(status(["SIGNIN_ACTION": "authorize"]) == .forbidden)
        #expect(status(["SIGNIN_REQUIRE": "member"], role: .authorizer) == .ok)
        #expect(status(["SIGNIN_REQUIRE": "email-domain=other.org"], role: .authorizer) == .forbidden)
        #expect(status(["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "member"]) == nil)
        #expect(status([:]) == nil)
    }

    @Test mutating func `the check is also a path`() async throws {
        let parameters = ["SIGNIN_REQUIRE": "member"]
        #expect(try await browser.send(.post, "/auth", parameters: parameters).status == .unauthorized)
        #expect(try await browser.send(.get, "/auth").status == .forbidden)
    }

    @Test(arguments: ["", " ", "nonsense", "email-domain=", "member anyone", "allow=/no/such/file"])
    mutating func `an empty or invalid rule admits nobody and is logged`(rule: String) async throws {
        try await signInZoe()
        #expect(try await ask("authorize", rule: rule).status == .forbidden)
        #expect(test.lines.names.contains("access-denied"))
        let page = try await ask("denied", rule: rule)
        #expect(page.status == .forbidden)
        #expect(!String(decoding: page.body, as: UTF8.self).contains("zoe@example.com"))
    }

    @Test(arguments: ["Authorize", "sign-in", "auth ", "x"])
    mutating func `an unknown action is denied`(action: String) async throws {
        try await signInZoe()
        #expect(try await ask(action, rule: "member").status == .forbidden)
        #expect(test.lines.reasons == ["action-unknown"])
    }

    @Test mutating func `a failing store denies guarded locations`() async throws {
        let broken = try TestSite(files: FileSystem(fault: { $0 == .read ? EIO : nil }))
        var browser = TestBrowser(broken)
        let session = Session.example(created: broken.clock.now, expires: broken.clock.now.addingTimeInterval(3600))
        try await browser.plant(session)
        for rule in ["member", "anyone"] {
            for parameters in [["SIGNIN_REQUIRE": rule], ["SIGNIN_REQUIRE": rule, "SIGNIN_ACTION": "authorize"]] {
                #expect(try await browser.send(.get, "/auth", parameters: parameters).status == .forbidden)
            }
        }
        let direct = try await browser.send(
            .get,
            "/private/",
            headers: Self.page,
            role: .authorizer,
            parameters: ["SIGNIN_REQUIRE": "member"]
        )
        #expect(direct.status == .serviceUnavailable)
        // One line for each request.
        #expect(broken.lines.names == Array(repeating: "store-failed", count: 5))
    }

    @Test mutating func `a member reads 503 if the check failed, also when the cause is over`() async throws {
        let broken = try TestSite(files: FileSystem(fault: { $0 == .read ? EIO : nil }))
        var visitor = TestBrowser(broken)
        try await visitor.plant(.example(created: broken.clock.now, expires: broken.clock.now.addingTimeInterval(3600)))
        let check = ["SIGNIN_REQUIRE": "member", "SIGNIN_ACTION": "authorize"]
        let reason = try #require(try await visitor.send(.get, "/", parameters: check).headers[.xAuthReason])
        try await signInZoe()
        #expect(try await ask("denied", rule: "member", reason: reason).status == .serviceUnavailable)
        #expect(try await ask("denied", rule: "subject=other", reason: reason).status == .serviceUnavailable)
        // The rule has changed since the check.
        let rejected = try await ask("authorize", rule: "subject=other").headers[.xAuthReason]
        #expect(try await ask("denied", rule: "member", reason: rejected).status == .serviceUnavailable)
        #expect(try await ask("denied", rule: "subject=other", reason: rejected).status == .forbidden)
        // nginx itself denied the request.
        #expect(try await ask("denied", rule: "member", reason: "").status == .forbidden)
    }

    @Test mutating func `a page leads to the provider and back to the same address`() async throws {
        let answer = try await ask("signin", rule: "member")
        #expect(answer.status == .seeOther)
        let state = try browser.state(in: answer)
        let back = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)")
        #expect(back.headers[.location] == "/private/a%20b?x=1&y=%2F&z={|}")
    }

    @Test(arguments: [
        [(HeaderName.secFetchMode, "cors"), (.secFetchDest, "empty")], [(.accept, "application/json")],
        [(.accept, "text/html"), (.xRequestedWith, "XMLHttpRequest")],
    ])
    mutating func `a script gets the address where a person can sign in`(headers: [(HeaderName, String)]) async throws {
        let answer = try await ask("signin", rule: "member", headers: headers)
        #expect(answer.status == .unauthorized && browser.cookies.isEmpty)
        let body = String(decoding: answer.body, as: UTF8.self)
        #expect(body == #"{"error":"unauthorized","login_url":"https://site.example/login"}"#)
    }

    @Test mutating func `a picture gets a 401 without a body and starts no sign-in`() async throws {
        let answer = try await ask(
            "signin",
            rule: "member",
            headers: [(.secFetchMode, "no-cors"), (.secFetchDest, "image")]
        )
        #expect(answer.status == .unauthorized && answer.body.isEmpty && browser.cookies.isEmpty)
    }

    @Test mutating func `a page is redirected to itself if a session was created in the meantime`() async throws {
        try await signInZoe()
        let answer = try await ask("signin", rule: "member")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/private/a%20b?x=1&y=%2F&z={|}")
    }

    @Test mutating func `a member the rule rejects sees the account and the contact`() async throws {
        try await signInZoe()
        let answer = try await ask("denied", rule: "subject=other")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .forbidden)
        #expect(page.contains("zoe@<wbr>example.<wbr>com") && page.contains("mailto:help@example.com"))
        #expect(page.contains("action=\"/logout\"") && page.contains("name=\"return_to\" value=\"/private/a%20b"))
        let byServer = try await ask("denied", rule: "member")
        #expect(byServer.status == .forbidden)
        #expect(!String(decoding: byServer.body, as: UTF8.self).contains("zoe@example.com"))
    }

    @Test mutating func `the account of a rejected member isolates the direction of its name`() async throws {
        var session = Session.example(created: test.clock.now, expires: test.clock.now.addingTimeInterval(3600))
        session.identity.name = "\u{5E9}\u{5E8}\u{5D4}"
        try await browser.plant(session)
        let answer = try await ask("denied", rule: "subject=other")
        let account = try #require(String(decoding: answer.body, as: UTF8.self).firstMatch(of: /<dd>(.*)<\/dd>/)).1
        #expect(account == "<bdi>\u{5E9}\u{5E8}\u{5D4}</bdi><br><bdi>zoe@<wbr>example.<wbr>com<wbr></bdi>")
    }

    @Test mutating func `an authorizer admits with variables, leads a page to sign-in, and rejects the rest with 401`()
        async throws
    {
        let parameters = ["SIGNIN_REQUIRE": "email-domain=example.com"]
        let page = try await browser.send(.get, "/p/?q", headers: Self.page, role: .authorizer, parameters: parameters)
        #expect(page.status == .seeOther && page.headers[.setCookie] != nil)
        for method in [Method.post, .init(rawValue: "PUT")] {
            let other = try await browser.send(
                method,
                "/p/",
                headers: Self.page,
                role: .authorizer,
                parameters: parameters
            )
            #expect(other.status == .unauthorized)
        }
        try await signInZoe()
        let open = try await browser.send(.post, "/p/", role: .authorizer, parameters: parameters)
        #expect(open.status.code == 200 && open.body.isEmpty)
        #expect(open.headers[.variableRemoteUser] == "782bbtaQ")
        #expect(open.headers[.variableAuthEmail] == "zoe@example.com")
        #expect(open.headers[.variableAuthName] == "UTF-8''Zo%C3%AB%20%E6%9D%8E")
        let closed = try await browser.send(.get, "/p/", headers: Self.page, role: .authorizer)
        #expect(closed.status == .forbidden && closed.headers[.variableRemoteUser] == nil)
    }

    @Test mutating func `a location open to anyone gets the identity of members only`() async throws {
        let anonymous = try await ask("authorize", rule: "anyone")
        #expect(anonymous.status == .ok && anonymous.headers[.xAuthSubject] == nil)
        try await signInZoe()
        #expect(try await ask("authorize", rule: "anyone").headers[.xAuthSubject] == "782bbtaQ")
    }

    @Test mutating func `a member whose sign-in is too old for the rule signs in again and returns`() async throws {
        let rule = "signed-in-within=15m"
        try await browser.signIn(as: "alice")
        test.clock.advance(by: 900)
        #expect(try await ask("authorize", rule: rule).status == .ok)
        test.clock.advance(by: 1)
        #expect(try await ask("authorize", rule: "member").status == .ok)
        #expect(try await ask("authorize", rule: rule).status == .unauthorized)
        let old = try #require(browser.cookies["__Host-session"])
        let answer = try await ask("signin", rule: rule)
        let back = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(browser.state(in: answer))")
        #expect(back.headers[.location] == "/private/a%20b?x=1&y=%2F&z={|}")
        #expect(try await ask("authorize", rule: rule).status == .ok)
        #expect(browser.cookies["__Host-session"] != old)
        #expect(try await ask("signin", rule: rule).headers[.location] == "/private/a%20b?x=1&y=%2F&z={|}")
    }

    @Test mutating func `a script of a member whose sign-in is too old gets the address for sign-in`() async throws {
        try await browser.signIn(as: "alice")
        test.clock.advance(by: 901)
        let script: [(HeaderName, String)] = [(.accept, "application/json")]
        let answer = try await ask("signin", rule: "signed-in-within=15m", headers: script)
        #expect(answer.status == .unauthorized && answer.headers[.location] == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""login_url":"https://site.example/login""#))
    }

    @Test mutating func `a member the rule rejects is not asked to sign in again`() async throws {
        try await browser.signIn(as: "alice")
        test.clock.advance(by: 901)
        let rule = "signed-in-within=15m subject=bob"
        #expect(try await ask("authorize", rule: rule).status == .forbidden)
        #expect(test.lines.reasons.last == "not-named")
        let direct = try await browser.send(
            .get,
            "/private/",
            headers: Self.page,
            role: .authorizer,
            parameters: ["SIGNIN_REQUIRE": rule]
        )
        #expect(direct.status == .forbidden)
    }

    @Test mutating func `a claim that the settings no longer name admits nobody`() async throws {
        var session = Session.example(created: test.clock.now, expires: test.clock.now.addingTimeInterval(3600))
        session.identity.claims = KeptClaims([(name: "groups", content: .values(["staff"]))], groups: "groups")
        try await browser.plant(session)
        #expect(try await ask("authorize", rule: "member").status == .ok)
        #expect(try await ask("authorize", rule: "group=staff").status == .forbidden)
        #expect(test.lines.reasons.last == "claim-not-kept")
    }
}
