import EventLog
import HTTP
import OpenID
import Provider
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

/// Sign-in with GitHub, with answers in the form of its documentation.
@Suite struct GitHubTests {
    private static let issuer = "https://github.com/login/oauth"
    private static let user = #"""
        {"login":"octocat","id":583231,"node_id":"MDQ6VXNlcjE=","avatar_url":"https://avatars.githubusercontent.com/u/583231",
        "html_url":"https://github.com/octocat","type":"User","name":"The Octocat","email":"public@evil.example"}
        """#
    private static let emails = #"""
        [{"email":"old@example.com","verified":true,"primary":false,"visibility":null},
        {"email":"octocat@example.com","verified":true,"primary":true,"visibility":"private"}]
        """#

    /// GitHub's answers by address without its query.
    private struct Server: Transport {
        var answers: [String: (status: Int, body: String)]

        func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
            guard let (status, body) = answers[String(request.url.prefix { $0 != "?" })] else {
                throw TransportError(.unreachable, detail: request.url)
            }
            var headers = Headers()
            try? headers.append(.contentType, "application/json; charset=utf-8")
            return ClientResponse(status: status, headers: headers, body: Array(body.utf8))
        }
    }

    private let lines = Lines()

    private func client(
        _ answers: [String: (status: Int, body: String)],
        scopes: [String]? = nil
    ) throws -> OpenIDClient {
        var options = GitHub.options(
            of: try #require(GitHub.Server(issuer: Self.issuer)),
            keeping: KeptClaimNames()
        )
        if let scopes { options.scopes = scopes }
        return OpenIDClient(
            options: options,
            credentials: ClientCredentials(identifier: "id", secret: "secret"),
            redirectURI: "https://site.example/oauth",
            transport: Server(answers: answers),
            now: { Date(timeIntervalSince1970: 1_800_000_000) },
            pause: { _ in }
        )
    }

    private func profile(
        user: (Int, String) = (200, user),
        emails: (Int, String) = (200, emails),
        scopes: [String]? = nil,
        identity: Identity? = nil
    ) async throws(OpenIDError) -> Profile {
        let client: OpenIDClient
        do {
            let answers = ["https://api.github.com/user": user, "https://api.github.com/user/emails": emails]
            client = try self.client(answers, scopes: scopes)
        } catch { throw OpenIDError(.busy) }
        let log = Log(least: .debug) { [lines] in lines.append($0) }
        return try await GitHub.profiles(keeping: KeptClaimNames()).fetch(
            ProfileCall(client: client, accessToken: "gho_token", identity: identity, patience: .none, log: log)
        )
    }

    private func code(
        user: (Int, String) = (200, user),
        emails: (Int, String) = (200, emails),
        identity: Identity? = nil
    ) async -> OpenIDError.Code? {
        do {
            _ = try await profile(user: user, emails: emails, identity: identity)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `P27: the number of the account is the subject, and the verified primary address is used`() async throws
    {
        let profile = try await profile()
        #expect(profile.subject == "583231" && profile.name == "The Octocat")
        #expect(profile.email == "octocat@example.com" && profile.emailVerified == true)
        #expect(profile.profileURL == "https://github.com/octocat")
        #expect(profile.picture == "https://avatars.githubusercontent.com/u/583231")
        #expect(lines.names.isEmpty)
    }

    @Test func `P27: a renamed login stays the same member, and the login stands in for a missing name`() async throws {
        let renamed = #"{"login":"someone","id":583231,"name":null}"#
        let profile = try await profile(user: (200, renamed))
        #expect(profile.subject == "583231" && profile.name == "someone" && profile.profileURL == nil)
    }

    @Test(arguments: [
        (200, "[]", "address-unverified"),
        (200, #"[{"email":"a@b.example","verified":false,"primary":true}]"#, "address-unverified"),
        (200, #"[{"email":"a@b.example","verified":true,"primary":false}]"#, "address-unverified"),
        (200, #"[{"email":"a@b@c.example","verified":true,"primary":true}]"#, "address-unverified"),
        (200, #"[{"email":"a@b.example","verified":"true","primary":true}]"#, "address-unverified"),
        (404, #"{"message":"Not Found"}"#, "address-denied"),
        (403, #"{"message":"Resource not accessible by integration"}"#, "address-denied"),
    ])
    func `P27: without a verified primary address, the member has none and the log says why`(
        status: Int,
        body: String,
        reason: String
    ) async throws {
        let profile = try await profile(emails: (status, body))
        #expect(profile.email == nil && profile.emailVerified == nil && profile.subject == "583231")
        #expect(lines.names == ["address-missing"] && lines.reasons == [reason])
    }

    @Test func `P27: without the scope for addresses, GitHub is not asked for them`() async throws {
        let profile = try await profile(emails: (500, ""), scopes: ["read:user"])
        #expect(profile.email == nil && lines.reasons == ["address-scope-missing"])
    }

    @Test func `an answer that does not name the member ends the sign-in`() async throws {
        for id in [#""583231""#, "0", "-1", "1.5", "1e300", "null"] {
            #expect(await code(user: (200, #"{"login":"octocat","id":\#(id)}"#)) == .resourceMalformed)
        }
        for body in ["[]", "", "<html>"] { #expect(await code(user: (200, body)) == .resourceMalformed) }
        #expect(await code(user: (401, #"{"message":"Bad credentials"}"#)) == .accessTokenRefused)
        #expect(await code(user: (503, "")) == .resourceUnavailable)
        #expect(await code(emails: (502, "<html>")) == .resourceUnavailable)
        #expect(await code(emails: (401, "{}")) == .accessTokenRefused)
        let other = Identity(provider: .linkedIn, issuer: Self.issuer, subject: "583232")
        #expect(await code(identity: other) == .subjectMismatch)
    }

    @Test(arguments: [
        ("bad_verification_code", OpenIDError.Code.codeRefused), ("incorrect_client_credentials", .clientRefused),
        ("redirect_uri_mismatch", .clientRefused), ("unverified_user_email", .tokenMalformed),
    ])
    func `P28: an error as JSON with the status 200 is an error`(name: String, expected: OpenIDError.Code) async throws
    {
        let body = #"{"error":"\#(name)","error_description":"x","error_uri":"https://docs.github.com/"}"#
        let client = try client(["\(Self.issuer)/access_token": (200, body)])
        let error = await #expect(throws: OpenIDError.self) {
            try await client.redeem(code: "c", for: AuthorizationRequest(state: "s", codeVerifier: "v"))
        }
        #expect(error?.code == expected)
    }

    @Test func `P28: a refresh token that GitHub refuses with the status 200 is refused`() async throws {
        let client = try client(["\(Self.issuer)/access_token": (200, #"{"error":"bad_refresh_token"}"#)])
        let error = await #expect(throws: OpenIDError.self) { try await client.refresh(refreshToken: "r") }
        #expect(error?.code == .refreshRefused)
    }

    @Test func `GitHub's token response and its scopes are read, and no ID token is expected`() async throws {
        let body = #"{"access_token":"gho_16C7e42F292c","scope":"user:email,read:org","token_type":"bearer"}"#
        let client = try client(["\(Self.issuer)/access_token": (200, body)])
        let tokens = try await client.redeem(code: "c", for: AuthorizationRequest(state: "s", codeVerifier: "v"))
        #expect(tokens.accessToken == "gho_16C7e42F292c" && tokens.scopes == ["user:email", "read:org"])
    }

    @Test func `the sign-in uses PKCE, and a callback may have GitHub's issuer only`() throws {
        let client = try client([:])
        let url = client.authorizationURL(for: client.begin())
        #expect(url.hasPrefix("\(Self.issuer)/authorize?") && url.contains("code_challenge_method=S256"))
        #expect(!url.contains("nonce"))
        #expect(throws: Never.self) { try client.parseCallback(query: "code=c&state=s") }
        let issuer = "https%3A%2F%2Fgithub.com%2Flogin%2Foauth"
        #expect(throws: Never.self) { try client.parseCallback(query: "code=c&state=s&iss=\(issuer)") }
        #expect(throws: OpenIDError.self) {
            try client.parseCallback(query: "code=c&state=s&iss=https%3A%2F%2Fevil.example")
        }
    }

    @Test func `the API of a server follows from its host`() {
        let api = { GitHub.Server(issuer: $0)?.api }
        #expect(api("https://github.com/login/oauth") == "https://api.github.com")
        #expect(api("https://octo.ghe.com/login/oauth") == "https://api.octo.ghe.com")
        #expect(api("https://github.example.com/login/oauth") == "https://github.example.com/api/v3")
        #expect(api("https://github.com") == nil && api("https://github.com/login/oauth/") == nil)
    }

    @Test func `members sign out at the host of the server`() throws {
        #expect(try client([:]).signOutURL == "https://github.com/logout")
    }
}
