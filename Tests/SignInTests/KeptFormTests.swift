import Foundation
import HTTP
import Sessions
import TestSupport
import Testing

@testable import Pages
@testable import SignIn

struct KeptFormTests {
    private let test: TestSite
    private var visit: FormVisit

    init() throws {
        test = try TestSite()
        visit = FormVisit(test)
        Self.answer(test) { _ in ClientResponse(status: 303, headers: Self.headers, body: [1, 2, 3]) }
    }

    private static let headers: Headers = {
        var headers = Headers()
        for (name, value) in [
            ("Location", "/private/done"), ("Set-Cookie", cookie("a")), ("Set-Cookie", cookie("b")),
            ("X-Accel-Redirect", "/secret"),
            ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Content-Length", "3"), ("Content-Type", "text/x"),
        ] {
            if let name = HeaderName(name) { try? headers.append(name, value) }
        }
        return headers
    }()

    private static func cookie(_ name: String) -> String {
        "__Host-\(name)=1; Path=/; Secure; HttpOnly; SameSite=Lax"
    }

    private static func answer(
        _ test: TestSite,
        _ application: @escaping @Sendable (ClientRequest) throws(TransportError) -> ClientResponse
    ) {
        test.provider.answer { request throws(TransportError) in
            guard request.url.hasPrefix(TestSite.origin) else { return nil }
            return try application(request)
        }
    }

    /// The names of the files of kept forms.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: test.directory.path("state/kept"))
    }

    @Test mutating func `a form sent without a session arrives after sign-in, exactly as the browser would send it`()
        async throws
    {
        visit.browser.plant("application", "own")
        let page = try await visit.signIn(after: try await visit.post())
        #expect(page.status == .ok && page.headers[.referrerPolicy] == "same-origin")
        let answer = try await visit.press(page)
        let arrived = try #require(visit.arrived().first)
        #expect(visit.arrived().count == 1 && arrived.method == .post && arrived.body == FormVisit.body)
        let expected: [(HeaderName, String)] = [
            (.contentType, FormVisit.multipart), (.origin, TestSite.origin), (.referer, FormVisit.page),
            (.userAgent, "a browser"), (.accept, "text/html"), (.secFetchSite, "same-origin"),
            (.xForwardedFor, "192.0.2.7"),
        ]
        for (name, value) in expected { #expect(arrived.headers.values(name) == [value]) }
        let cookies = Cookies(arrived.headers.values(.cookie))
        #expect(cookies["application"] == .one("own") && cookies.names(withPrefix: "__Host-resume").isEmpty)
        #expect(cookies.names(withPrefix: "__Host-session").count == 1)
        #expect(answer.status == .seeOther && answer.body == [1, 2, 3])
        let names = answer.headers.fields.map { $0.name.description.lowercased() }
        #expect(names == ["location", "set-cookie", "set-cookie", "content-type", "set-cookie"])
        #expect(try files().isEmpty)
        let events = test.lines.names.filter { $0.hasPrefix("form") }
        #expect(events == ["form-kept", "form-replayed"])
        let signedIn = test.lines.texts.filter { !$0.contains("form-kept") }
        #expect(signedIn.count == 2 && signedIn.allSatisfy { $0.contains(" subject=alice remote=192.0.2.7") })
    }

    @Test mutating func `the address of a page of another site is not sent with the form`() async throws {
        let page = try await visit.signIn(after: try await visit.post(referer: TestSite.origin + ".example/"))
        _ = try await visit.press(page)
        #expect(visit.arrived().map { $0.headers[.referer] } == [nil])
    }

    @Test mutating func `a form sent with a session that is too old for the rule arrives after a new sign-in`()
        async throws
    {
        visit.require = "signed-in-within=1m"
        try await visit.browser.signIn()
        test.clock.advance(by: 61)
        let open = try await visit.signIn(after: try await visit.post())
        // The page stays open until the second sign-in is too old too.
        test.clock.advance(by: 61)
        let page = try await visit.signIn(after: try await visit.press(open))
        #expect(try await visit.press(page).status == .seeOther)
        #expect(visit.arrived().count == 1 && visit.arrived().first?.body == FormVisit.body)
    }

    @Test mutating func `the page that sends a form has a button and one script, which its policy allows`()
        async throws
    {
        let page = try await visit.signIn(after: try await visit.post())
        let markup = try Markup(String(decoding: page.body, as: UTF8.self))
        #expect(markup["form"].map(\.attributes["action"]) == [FormVisit.uri, "/resume"])
        #expect(markup["form"].map(\.attributes["enctype"]) == ["text/plain", nil])
        #expect(markup["button"].count == 2 && markup["dd"].map(\.text) == [FormVisit.uri])
        #expect(markup["script"].map(\.text) == ["document.forms.resume.submit()"])
        let policy = test.site.answers.pages.policy(for: .resume(target: "", token: "", label: ""))
        #expect(page.headers.values(.contentSecurityPolicy) == [policy])
        #expect(policy.contains("script-src 'sha256-") && policy.contains("form-action 'self' https:;"))
        #expect(!test.site.answers.pages.contentSecurityPolicy.contains("script"))
    }

    @Test mutating func `a form is sent once, however often the button is pressed`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        let copy = visit
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var tab = copy
                    return try await tab.press(page).status.code
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 303 || $0 == 409 } && statuses.contains(303))
        #expect(visit.arrived().count == 1)
        var later = copy
        #expect(try await later.press(page).status == .conflict)
        #expect(try await visit.press(page).status == .conflict)
        #expect(visit.arrived().count == 1)
    }

    @Test mutating func `a reload of the answer does not reach the application`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        _ = try await visit.press(page)
        let again = try await visit.press(page)
        #expect(again.status == .conflict && visit.arrived().count == 1)
        let form = try #require(visit.browser.cookies.first { $0.key.hasPrefix("__Host-resume-") })
        #expect(form.value == "sent")
        let resume = "/resume?form=" + form.key.dropFirst("__Host-resume-".count)
        #expect(try await visit.browser.send(.get, resume).status == .conflict)
    }

    @Test(
        arguments: [
            ("cross-site", "https://site.example", .forbidden), ("same-site", nil, .unauthorized),
            ("none", nil, .unauthorized), (nil, "https://evil.example", .forbidden), (nil, "null", .forbidden),
            (nil, nil, .unauthorized),
        ] as [(String?, String?, Status)]
    )
    mutating func `only a form of the same origin is kept`(site: String?, origin: String?, status: Status) async throws
    {
        let answer = try await visit.post(origin: origin, site: site)
        #expect(answer.status == status && answer.headers[.setCookie] == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("was not sent"))
        #expect(try files().isEmpty)
        #expect(test.lines.reasons == ["cross-site"])
        #expect(try await visit.post(origin: TestSite.origin, site: nil).status == .seeOther)
    }

    @Test(arguments: [
        ("text/plain", "/a", 1, "content-type"), ("application/json", "/a", 1, "content-type"),
        ("multipart/form-data", "//evil.example", 1, "address"), ("multipart/form-data", "/a", 1_048_577, "too-large"),
    ])
    mutating func `a form that cannot be kept gets a page that explains how to send it`(
        type: String,
        uri: String,
        size: Int,
        reason: String
    )
        async throws
    {
        let answer = try await visit.post(uri, type: type, body: [UInt8](repeating: 0, count: size))
        #expect(answer.status == .unauthorized && test.lines.reasons == [reason])
        #expect(String(decoding: answer.body, as: UTF8.self).contains("sends the form again"))
        #expect(try files().isEmpty)
    }

    @Test mutating func `a form of exactly the maximum size is kept`() async throws {
        let body = [UInt8](repeating: 7, count: 1_048_576)
        let page = try await visit.signIn(after: try await visit.post(body: body))
        _ = try await visit.press(page)
        #expect(visit.arrived().first?.body == body)
    }

    @Test mutating func `all forms together stay within their limit, and sign-in continues`() async throws {
        let small = try TestSite(keptLimit: 100_000, keptTotal: 250_000)
        visit = FormVisit(small)
        let body = [UInt8](repeating: 7, count: 100_000)
        #expect(try await visit.post(body: body).status == .seeOther)
        let refused = try await visit.post(body: body)
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "60")
        #expect(String(decoding: refused.body, as: UTF8.self).contains("Too many forms from your network"))
        visit.browser.address = "192.0.2.8"
        #expect(try await visit.post(body: body).status == .seeOther)
        visit.browser.address = "192.0.2.9"
        #expect(try await visit.post(body: body).status == .unauthorized)
        #expect(small.lines.reasons == ["store-share", "store-full"])
        small.clock.advance(by: 600)
        #expect(try await visit.post(body: body).status == .seeOther)
    }

    @Test mutating func `a site that does not keep forms says so`() async throws {
        visit = FormVisit(try TestSite(keptLimit: nil))
        #expect(try await visit.post().status == .unauthorized)
    }

    @Test mutating func `a form expires with its sign-in`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        test.clock.advance(by: 601)
        #expect(try await visit.press(page).status == .gone)
        #expect(visit.arrived().isEmpty)
        for shard in 0..<2 { _ = try await test.store.sweep(shard: shard, now: test.clock.now) }
        #expect(try files().isEmpty)
    }

    @Test mutating func `a form whose sign-in failed is sent after the next sign-in`() async throws {
        let state = try visit.state(in: try await visit.post())
        let cancelled = try await visit.browser.send(.get, "/oauth?error=user_cancelled_login&state=\(state)")
        #expect(cancelled.status == .forbidden)
        let again = try Self.loginLink(on: cancelled)
        #expect(again.contains("resume"))
        let page = try await visit.signIn(after: try await visit.browser.send(.get, again))
        #expect(try await visit.press(page).status == .seeOther)
        #expect(visit.arrived().first?.body == FormVisit.body)
    }

    @Test mutating func `a form stays kept if the page of a canceled sign-in is loaded again`() async throws {
        let other = try await visit.signIn(after: try await visit.post("/private/other"))
        test.clock.advance(by: 1)
        visit.browser.plant("__Host-session", "")
        let callback = "/oauth?error=user_cancelled_login&state=\(try visit.state(in: try await visit.post()))"
        _ = try await visit.browser.send(.get, callback)
        let reloaded = try await visit.browser.send(.get, callback)
        #expect(reloaded.status == .forbidden)
        let page = try await visit.signIn(after: try await visit.browser.send(.get, try Self.loginLink(on: reloaded)))
        #expect(try await visit.press(page).status == .seeOther)
        #expect(visit.arrived().first?.body == FormVisit.body)
        #expect(try await visit.press(other, at: "/private/other").status == .seeOther)
        // A form that was sent is not kept: the way leads to its address.
        let late = try await visit.browser.send(.get, callback)
        #expect(late.headers[.location] == FormVisit.uri)
    }

    @Test mutating func `a form stays kept if its callback is requested twice and the browser drops the first answer`()
        async throws
    {
        let callback = "/oauth?code=code-of-alice&state=\(try visit.state(in: try await visit.post()))"
        var first = visit.browser
        _ = try await first.send(.get, callback)
        let second = try await visit.browser.send(.get, callback)
        let page = try await visit.signIn(after: try await visit.browser.send(.get, try Self.loginLink(on: second)))
        #expect(try await visit.press(page).status == .seeOther)
        #expect(visit.arrived().first?.body == FormVisit.body)
    }

    /// The link that begins a sign-in.
    private static func loginLink(on page: Response) throws -> String {
        let markup = try Markup(String(decoding: page.body, as: UTF8.self))
        return try #require(markup["a"].compactMap { $0.attributes["href"] }.first { $0.hasPrefix("/login?") })
    }

    @Test mutating func `a member confirms that a kept form is discarded, without a script`() async throws {
        let page = try await visit.signIn(after: try await visit.post())
        let text = String(decoding: page.body, as: UTF8.self)
        let inside = try #require(text.firstMatch(of: /<details>(?s:(.*?))<\/details>/)).1
        #expect(
            inside.contains("name=\"discard\"") && inside.contains("This site deletes your form without sending it.")
        )
        #expect(inside.contains("<summary>Discard the form</summary>"))
        #expect(text.ranges(of: "name=\"discard\"").count == 1)
    }

    @Test mutating func `two tabs with two forms do not collide`() async throws {
        let first = try await visit.post("/private/one", body: [1])
        let second = try await visit.post("/private/two", body: [2])
        let pageTwo = try await visit.signIn(after: second)
        let pageOne = try await visit.signIn(after: first)
        #expect(try await visit.press(pageOne, at: "/private/one").status == .seeOther)
        #expect(try await visit.press(pageTwo, at: "/private/two").status == .seeOther)
        #expect(visit.arrived("/private/one").map(\.body) == [[1]])
        #expect(visit.arrived("/private/two").map(\.body) == [[2]])
    }

    @Test mutating func `a browser with many forms keeps few cookies`() async throws {
        for _ in 0..<12 {
            _ = try await visit.signIn(after: try await visit.post())
            visit.browser.plant("__Host-session", "")
            test.clock.advance(by: 61)
        }
        let cookies = visit.browser.cookies.filter { $0.key.hasPrefix("__Host-resume-") }
        #expect(cookies.count == 4)
        #expect(cookies.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } < 1024)
    }
}
