import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

/// Callbacks that a page of the provider sends as a form.
struct FormPostTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        let ids = ["apple", "pear", "google"].compactMap(ProviderID.init)
        test = try TestSite(others: ids, formPost: ["apple", "pear"])
        browser = TestBrowser(test)
    }

    private var tokenRequests: Int { test.provider.requests(to: "https://apple.example/token").count }

    private mutating func begin(at provider: String = "apple", _ browser: TestBrowser? = nil) async throws -> String {
        try self.browser.state(in: await self.browser.send(.get, "/login?provider=\(provider)&return_to=%2Fhere"))
    }

    /// Sends a form as a browser does for a page of another site: without cookies, which are SameSite=Lax.
    private func post(
        _ form: String,
        to path: String = "/oauth/apple",
        type: String = "application/x-www-form-urlencoded"
    ) async throws -> Response {
        var stranger = TestBrowser(test)
        let headers: [(HeaderName, String)] = [
            (.accept, "text/html"), (.contentType, type), (.origin, "https://apple.example"),
            (.secFetchSite, "cross-site"),
        ]
        let answer = try await stranger.send(.post, path, headers: headers, body: Array(form.utf8))
        #expect(stranger.cookies.isEmpty)
        return answer
    }

    @Test mutating func `P24: a form leads to GET with a sealed answer, which completes the sign-in`() async throws {
        let state = try await begin()
        let posted = try await post("state=\(state)&code=code-of-alice&id_token=x&more=y")
        let location = try #require(posted.headers[.location])
        #expect(posted.status == .seeOther && location.hasPrefix("/oauth/apple?answer="))
        #expect(!location.contains("alice") && !location.contains(state) && tokenRequests == 0)
        let end = try await browser.send(.get, location, headers: [(.secFetchSite, "cross-site")])
        #expect(end.status == .seeOther && end.headers[.location] == "/here" && tokenRequests == 1)
        #expect(browser.cookies["__Host-session"] != nil)
        // A second form, and the same address once more.
        let again = try #require(try await post("state=\(state)&code=code-of-alice").headers[.location])
        for address in [again, location] {
            #expect(try await browser.send(.get, address).headers[.location] == "/here")
        }
        #expect(tokenRequests == 1)
    }

    @Test mutating func `P24: the session of the former provider ends, because the GET has its cookie`() async throws {
        let state = try await begin(at: "google")
        _ = try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(state)")
        let former = try #require(browser.cookies["__Host-session"])
        let next = try await post("state=\(try await begin())&code=code-of-alice")
        _ = try await browser.send(.get, try #require(next.headers[.location]))
        #expect(browser.cookies["__Host-session"] != former)
        let ticket = try #require(Ticket(cookieValue: former))
        #expect(try await test.store.sessions.session(for: ticket, now: test.clock.now) == nil)
    }

    @Test mutating func `P24: a form with the state of another browser signs nobody in`() async throws {
        var other = self
        other.browser = TestBrowser(test)
        let state = try await other.begin()
        _ = try await begin()
        let location = try #require(try await post("state=\(state)&code=code-of-eve").headers[.location])
        #expect(try await browser.send(.get, location).status == .badRequest)
        #expect(test.lines.reasons == ["state-missing"] && tokenRequests == 0)
    }

    @Test(arguments: [
        "", "state=s", "code=c", "state=s&code=c&error=e", "state=s&state=s&code=c", "state=s&code=c&code=c",
        "state=s&code=c&user=%7B%7D&user=%7B%7D", "state=&code=c", "state=%ff&code=c", "state=s&code=a%0d%0ab",
        "state=s&code=c&iss=x&iss=x", "state=s&code=\(String(repeating: "a", count: 4_100))",
        "state=s&code=c&user=\(String(repeating: "a", count: 4_100))",
    ])
    func `a form with a missing, repeated or contradictory field, or a long one, is rejected`(form: String) async throws
    {
        let answer = try await post(form)
        #expect(answer.status == .badRequest && answer.headers[.location] == nil)
        #expect(test.lines.reasons == ["callback-malformed"])
    }

    @Test(arguments: ["", "text/plain", "application/json", "multipart/form-data; boundary=x"])
    func `a body of another type is not a form`(type: String) async throws {
        #expect(try await post("state=s&code=c", type: type).status == .badRequest)
        #expect(
            try await post("state=s&code=c", type: "Application/X-WWW-Form-urlencoded; charset=utf-8").status
                == .seeOther
        )
    }

    @Test mutating func `only a sealed answer to this address is accepted by GET`() async throws {
        let state = try await begin()
        let answer = try #require(
            try await post("state=\(state)&code=code-of-alice").headers[.location]?.split(separator: "=").last
        )
        let other = try #require(
            try await post("state=\(state)&code=code-of-alice", to: "/oauth/pear").headers[.location]?.split(
                separator: "="
            ).last
        )
        for query in [
            "code=code-of-alice&state=\(state)", "", "answer=", "answer=\(answer)&answer=\(answer)", "answer=\(other)",
            "answer=\(answer.dropLast())", "answer=B\(answer.dropFirst())",
            "code=code-of-alice&state=\(state)&answer=x",
        ] {
            var copy = browser
            #expect(try await copy.send(.get, "/oauth/apple?\(query)").status == .badRequest, "\(query)")
        }
        #expect(Set(test.lines.reasons) == ["callback-malformed"] && tokenRequests == 0)
        #expect(try await browser.send(.get, "/oauth/apple?answer=\(answer)").status == .seeOther)
    }

    @Test(arguments: ["/oauth", "/oauth/google"])
    func `P24: a form to the address of a provider that sends none is not allowed`(path: String) async throws {
        let answer = try await post("state=s&code=c", to: path)
        #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == "GET, HEAD")
        #expect(try await post("state=s&code=c", to: "/oauth/other").status == .notFound)
        let alone = TestBrowser(try TestSite())
        var visitor = alone
        for method in [Method.post, Method(rawValue: "PUT")] {
            let refused = try await visitor.send(method, "/oauth")
            #expect(refused.status == .methodNotAllowed && refused.headers[.allow] == "GET, HEAD")
        }
    }

    @Test mutating func `a cancelled sign-in by a form leads back to the same page`() async throws {
        let state = try await begin()
        let location = try #require(try await post("state=\(state)&error=access_denied").headers[.location])
        let page = try await browser.send(.get, location)
        #expect(String(decoding: page.body, as: UTF8.self).contains("return_to=%2Fhere"))
        #expect(test.lines.reasons == ["provider-cancelled"])
    }
}
