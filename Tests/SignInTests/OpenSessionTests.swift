import HTTP
import OpenID
import Sessions
import SignIn
import TestSupport
import Testing

/// `POST /session` with an access token.
@Suite struct OpenSessionTests {
    private let accepting = ["SIGNIN_TOKEN_SESSIONS": "yes"]

    private func post(
        _ browser: inout TestBrowser,
        _ authorization: String?,
        _ headers: [(HeaderName, String)] = []
    ) async throws -> Response {
        let field = authorization.map { [(HeaderName.authorization, $0)] } ?? []
        return try await browser.send(.post, "/session", headers: field + headers)
    }

    @Test func `a token becomes a session of its member`() async throws {
        let test = try TestSite(settings: accepting)
        var app = TestBrowser(test)
        let answer = try await post(&app, "Bearer token-of-alice")
        #expect(answer.status == .ok)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""subject":"alice""#))
        #expect(answer.headers[.contentType] == "application/json")
        #expect(try await app.send(.get, "/profile").status == .ok)
        var browser = TestBrowser(test)
        try await browser.signIn(as: "alice")
        let summaries = [try await app.send(.get, "/session"), try await browser.send(.get, "/session")].map(\.body)
        #expect(summaries[0] == summaries[1])
        let lines = test.lines.texts.filter { $0.contains("event=signed-in") }
        #expect(lines.count == 2 && lines[0].contains("by=token") && !lines[1].contains("by="))
    }

    @Test(arguments: ["bearer token-of-alice", "BEARER token-of-alice"])
    func `the name of the scheme has no case`(field: String) async throws {
        var app = TestBrowser(try TestSite(settings: accepting))
        #expect(try await post(&app, field).status == .ok)
    }

    @Test func `a new session replaces the presented one`() async throws {
        let test = try TestSite(settings: accepting)
        var app = TestBrowser(test)
        try await app.signIn(as: "alice")
        let old = try #require(app.cookies["__Host-session"])
        _ = try await post(&app, "Bearer token-of-bob")
        #expect(app.cookies["__Host-session"] != old)
        app.plant("__Host-session", old)
        #expect(String(decoding: try await app.send(.get, "/session").body, as: UTF8.self).contains("false"))
    }

    @Test func `without the setting, the route accepts no POST`() async throws {
        let test = try TestSite()
        var app = TestBrowser(test)
        let answer = try await post(&app, "Bearer token-of-alice")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD")
        #expect(app.cookies.isEmpty && test.provider.requests(to: ScriptedProvider.introspectionEndpoint).isEmpty)
    }

    @Test(arguments: [nil, "", "Bearer", "Basic dG9rZW4tb2YtYWxpY2U=", "token-of-alice", "Bearertoken-of-alice"])
    func `a request without a bearer token is refused`(field: String?) async throws {
        let test = try TestSite(settings: accepting)
        var app = TestBrowser(test)
        let answer = try await post(&app, field)
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[.wwwAuthenticate] == #"Bearer realm="https://site.example""#)
        #expect(app.cookies.isEmpty && test.provider.requests(to: ScriptedProvider.introspectionEndpoint).isEmpty)
    }

    @Test(arguments: [
        (#"{"active":false}"#, 401, "invalid_token", "access-token-inactive"),
        (
            #"{"active":true,"client_id":"other","scope":"r_basicprofile"}"#, 401, "invalid_token",
            "access-token-foreign"
        ),
        (#"{"active":true,"client_id":"client","scope":"openid"}"#, 403, "insufficient_scope", "access-token-scopes"),
    ])
    func `a token that cannot be used is refused with a challenge`(
        description: String,
        status: Int,
        code: String,
        reason: String
    ) async throws {
        let test = try TestSite(settings: accepting)
        test.provider.answer { request throws(TransportError) in
            request.url == ScriptedProvider.introspectionEndpoint ? ScriptedProvider.json(200, description) : nil
        }
        var app = TestBrowser(test)
        let answer = try await post(&app, "Bearer token-of-alice")
        #expect(answer.status.code == status)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""error":"\#(code)""#))
        #expect(answer.headers[.wwwAuthenticate] == #"Bearer realm="https://site.example", error="\#(code)""#)
        #expect(app.cookies.isEmpty)
        #expect(test.lines.texts.contains { $0.contains("event=token-refused") && $0.contains("reason=\(reason)") })
        #expect(!test.lines.texts.contains { $0.contains("token-of-alice") })
    }

    @Test(arguments: [(429, 503, "600"), (500, 502, nil), (404, 502, nil)])
    func `a token is not blamed for a provider that does not answer`(
        status: Int,
        expected: Int,
        retryAfter: String?
    ) async throws {
        let test = try TestSite(settings: accepting)
        test.provider.answer { request throws(TransportError) in
            request.url == ScriptedProvider.introspectionEndpoint ? ClientResponse(status: status) : nil
        }
        var app = TestBrowser(test)
        let answer = try await post(&app, "Bearer token-of-alice")
        #expect(answer.status.code == expected)
        #expect(answer.headers[.retryAfter] == retryAfter)
        #expect(answer.headers[.wwwAuthenticate] == nil && app.cookies.isEmpty)
    }

    @Test(arguments: [
        (HeaderName.secFetchSite, "cross-site"), (.secFetchSite, "same-site"), (.origin, "https://evil.example"),
        (.origin, "null"),
    ])
    func `a page of another site opens no session`(name: HeaderName, value: String) async throws {
        let test = try TestSite(settings: accepting)
        var app = TestBrowser(test)
        let answer = try await post(&app, "Bearer token-of-alice", [(name, value)])
        #expect(answer.status == .forbidden && app.cookies.isEmpty)
        #expect(!answer.headers.fields.contains { $0.name.description.hasPrefix("Access-Control") })
        #expect(test.provider.requests(to: ScriptedProvider.introspectionEndpoint).isEmpty)
    }
}
