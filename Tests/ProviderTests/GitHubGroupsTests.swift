import EventLog
import HTTP
import OpenID
import Provider
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

/// Organizations and teams of GitHub as groups, with answers in the form of its documentation.
@Suite struct GitHubGroupsTests {
    private static let api = "https://api.github.com/user"
    private static let organizations = "\(api)/memberships/orgs?per_page=100&page=1&state=active"
    private static let teams = "\(api)/teams?per_page=100&page=1"
    private static let kept = KeptClaimNames(groups: GitHub.groupsClaim)

    /// GitHub's answers by address, with header fields of one line each.
    private struct Server: Transport {
        var answers: [String: (status: Int, fields: [String: String], body: String)]
        let sent = Lines()

        func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
            sent.append(LogEvent(.info, .signedIn, reason: request.url))
            let (status, fields, body) = answers[request.url] ?? (404, [:], "{}")
            var headers = Headers()
            for (name, value) in fields { if let name = HeaderName(name) { try? headers.append(name, value) } }
            return ClientResponse(status: status, headers: headers, body: Array(body.utf8))
        }
    }

    private let lines = Lines()
    private var server = Server(answers: [
        api: (200, [:], #"{"id":1,"login":"ada","groups":["forged"],"company":"Example"}"#),
        "\(api)/emails?per_page=100&page=1": (200, [:], "[]"),
        organizations: (200, [:], "[]"), teams: (200, [:], "[]"),
    ])

    private static func membership(_ id: String, _ login: String, _ state: String = "active") -> String {
        #"{"state":"\#(state)","role":"member","organization":{"login":\#(login),"id":\#(id)}}"#
    }

    private static func team(_ slug: String, of id: String, _ login: String) -> String {
        #"{"id":7,"name":"Core","slug":\#(slug),"organization":{"login":\#(login),"id":\#(id)}}"#
    }

    private func profile(
        keeping kept: KeptClaimNames = kept,
        identity: Identity? = nil
    ) async throws(OpenIDError) -> Profile {
        guard let github = GitHub.Server(issuer: "https://github.com/login/oauth") else { throw OpenIDError(.busy) }
        let client = OpenIDClient(
            options: GitHub.options(of: github, keeping: kept),
            credentials: ClientCredentials(identifier: "id", secret: "secret"),
            redirectURI: "https://site.example/oauth",
            transport: server,
            now: { Date(timeIntervalSince1970: 1_800_000_000) },
            pause: { _ in }
        )
        let log = Log(least: .debug) { [lines] in lines.append($0) }
        return try await GitHub.profiles(keeping: kept).fetch(
            ProfileCall(client: client, accessToken: "gho_token", identity: identity, patience: .none, log: log)
        )
    }

    private func groups() async throws -> ClaimValue? { try await profile().claims?.value(of: "groups") }

    private func error() async -> OpenIDError? {
        do {
            _ = try await profile()
            return nil
        } catch { return error }
    }

    @Test mutating func `an organization and its teams are groups by their names and by the number`() async throws {
        server.answers[Self.organizations]?.body =
            "[\(Self.membership("9919", #""Example-Org""#)),\(Self.membership("5", #""invited""#, "pending"))]"
        server.answers[Self.teams]?.body =
            "[\(Self.team(#""core""#, of: "9919", #""Example-Org""#)),\(Self.team(#""x""#, of: "5", #""invited""#))]"
        let expected = ["example-org", "id:9919", "example-org/core", "id:9919/core"]
        #expect(try await groups() == .texts(expected))
        let all = try #require(try await profile().claims)
        let claims = try #require(Self.kept.kept(of: all))
        #expect(claims.compare(.groups, with: ["id:9919/core"]) == .equal)
        #expect(claims.compare(.groups, with: ["invited", "id:5", "id:5/x"]) == .different)
    }

    @Test func `organizations are asked for only at a sign-in that needs them, and no document of GitHub has them`()
        async throws
    {
        let member = Identity(provider: .linkedIn, issuer: "https://github.com/login/oauth", subject: "1")
        #expect(try await profile(identity: member).claims?.value(of: "groups") == .absent)
        let claims = try await profile(keeping: KeptClaimNames(["company"])).claims
        #expect(claims?.value(of: "groups") == .absent && claims?.value(of: "company") == .texts(["Example"]))
        #expect(server.sent.reasons.allSatisfy { !$0.contains("orgs") && !$0.contains("teams") })
        let github = try #require(GitHub.Server(issuer: "https://github.com/login/oauth"))
        #expect(GitHub.options(of: github, keeping: Self.kept).scopes == ["user:email", "read:org"])
        #expect(GitHub.options(of: github, keeping: KeptClaimNames(["company"])).scopes == ["user:email"])
    }

    @Test mutating func `all pages are read, at addresses that the program makes`() async throws {
        let link = #"<https://evil.example/user/teams?page=2>; rel="next", <https://evil.example/>; rel="last""#
        server.answers[Self.organizations] = (200, ["Link": link], "[\(Self.membership("1", #""one""#))]")
        let second = Self.organizations.replacing("page=1&", with: "page=2&")
        server.answers[second] = (200, ["Link": #"<https://x/>; rel="prev""#], "[\(Self.membership("2", #""two""#))]")
        #expect(try await groups() == .texts(["one", "id:1", "two", "id:2"]))
        #expect(server.sent.reasons.allSatisfy { $0.hasPrefix(Self.api) })
    }

    @Test mutating func `more groups than a session keeps make the claim too large, and no further page is read`()
        async throws
    {
        let page = (1...100).map { Self.membership("\($0)", #""o\#($0)""#) }.joined(separator: ",")
        for number in 1...9 {
            let address = Self.organizations.replacing("page=1&", with: "page=\(number)&")
            server.answers[address] = (200, ["Link": #"<https://x/>; rel="next""#], "[\(page)]")
        }
        let all = try #require(try await profile().claims)
        let claims = Self.kept.kept(of: all)
        #expect(claims?.compare(.groups, with: ["o1"]) == .unusable(.tooLarge))
        #expect(server.sent.reasons.filter { $0.contains("orgs") }.count == 2)
        for number in 1...20 {
            let address = Self.organizations.replacing("page=1&", with: "page=\(number)&")
            server.answers[address] = (200, ["Link": #"<https://x/>; rel="next""#], "[]")
        }
        #expect(await error()?.code == .resourceMalformed)
    }

    @Test(arguments: [
        (403, #"{"message":"Resource not accessible by integration"}"#, "HTTP 403"),
        (404, #"{"message":"Not Found"}"#, "HTTP 404"),
    ])
    mutating func `without the permission a member has no groups, and the log says why`(
        status: Int,
        body: String,
        detail: String
    ) async throws {
        for address in [Self.organizations, Self.teams] {
            let usual = server.answers[address]
            server.answers[address] = (status, [:], body)
            #expect(try await groups() == .absent)
            server.answers[address] = usual
        }
        #expect(lines.reasons == ["address-unverified", "groups-denied", "address-unverified", "groups-denied"])
        #expect(lines.texts.filter { $0.contains("groups-missing") }.allSatisfy { $0.contains(detail) })
    }

    @Test(arguments: [
        (403, ["Retry-After": "17"], "{}", 17), (429, ["Retry-After": "17"], "{}", 17),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000030"], "{}", 30),
        (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1799999999"], "{}", 1),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "nan"], "{}", 60),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-9223372036854775808"], "{}", 60),
        (403, ["X-RateLimit-Remaining": "0"], "{}", 60),
        (403, [:], #"{"message":"You have exceeded a secondary rate limit. Please wait."}"#, 60),
    ])
    mutating func `a limit of calls is temporary, and the member waits as long as GitHub says`(
        status: Int,
        fields: [String: String],
        body: String,
        seconds: Int
    ) async throws {
        for address in [Self.api, Self.organizations, Self.teams] {
            let usual = server.answers[address]
            server.answers[address] = (status, fields, body)
            let error = await error()
            #expect(error?.code == .throttled && error?.throttle?.retryAfter == seconds)
            server.answers[address] = usual
        }
        #expect(!lines.names.contains("groups-missing"))
    }

    @Test mutating func `a list that GitHub does not send in this form fails the sign-in`() async throws {
        let entries = [
            Self.membership(#""9""#, #""a""#), Self.membership("0", #""a""#), Self.membership("1.5", #""a""#),
            Self.membership("9007199254740993", #""a""#), Self.membership("9", "null"), Self.membership("9", #""a/b""#),
            Self.membership("9", #""id:3""#), Self.membership("9", #""""#), #"{"state":"active"}"#,
            #"{"state":"active","organization":[]}"#,
        ]
        for body in entries.map({ "[\($0)]" }) + ["{}", "null", "", "<html>", #"[{"state":"active""#, "[\"\u{1}\"]"] {
            server.answers[Self.organizations]?.body = body
            #expect(await error()?.code == .resourceMalformed, "\(body)")
        }
        server.answers[Self.organizations]?.body = #"[{"state":"pending"},{"state":true},{},1,null]"#
        #expect(await error() == nil)
        for team in [Self.team("null", of: "9", #""a""#), Self.team(#""a/b""#, of: "9", #""a""#), "{}", "1"] {
            server.answers[Self.teams]?.body = "[\(team)]"
            #expect(await error()?.code == .resourceMalformed, "\(team)")
        }
    }

    @Test(arguments: [
        (401, OpenIDError.Code.accessTokenRefused), (500, .resourceUnavailable), (302, .resourceMalformed),
    ])
    mutating func `another failure of a list fails the sign-in`(status: Int, expected: OpenIDError.Code) async throws {
        server.answers[Self.teams] = (status, ["Location": "https://evil.example/"], "")
        #expect(await error()?.code == expected)
        #expect(server.sent.reasons.allSatisfy { $0.hasPrefix(Self.api) })
    }
}
