import Crypto
import HTTP
import Provider
import Testing

@testable import OpenID

/// Sign in with Apple, with messages in the form of its documentation.
@Suite struct AppleTests {
    private static let issuer = "https://appleid.apple.com"
    private static let document = """
        {"issuer":"https://appleid.apple.com","authorization_endpoint":"https://appleid.apple.com/auth/authorize",\
        "token_endpoint":"https://appleid.apple.com/auth/token","revocation_endpoint":"https://appleid.apple.com/auth/revoke",\
        "jwks_uri":"https://appleid.apple.com/auth/keys","response_types_supported":["code"],"response_modes_supported":\
        ["query","fragment","form_post"],"subject_types_supported":["pairwise"],"id_token_signing_alg_values_supported":\
        ["RS256"],"scopes_supported":["openid","email","name"],"token_endpoint_auth_methods_supported":\
        ["client_secret_post"],"claims_supported":["aud","email","email_verified","exp","iat","is_private_email","iss",\
        "nonce","nonce_supported","real_user_status","sub","transfer_sub"]}
        """

    private func options(_ scopes: [String] = Apple.scopes) throws -> ProtocolOptions {
        let document = try DiscoveryDocument(parsing: Array(Self.document.utf8), issuer: Self.issuer)
        var options = try document.options(scopes: scopes, hasSecret: true)
        Apple.adapt(&options)
        return options
    }

    private func client(
        _ options: ProtocolOptions,
        key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        by transport: ScriptedTransport = ScriptedTransport([])
    ) throws -> OpenIDClient {
        let key = try #require(ClientKey(pem: key.pemRepresentation, identifier: "ABC123DEFG"))
        let credentials = ClientCredentials(identifier: "com.example.site", secret: "", key: key, team: "DEF123GHIJ")
        return .make(options: options, credentials: credentials, transport: transport)
    }

    private struct Secret: Decodable {
        let iss, sub, aud: String
        let iat, exp: Int
    }

    @Test func `P26: each request has a client secret of its own, which the key of the team signed`() async throws {
        let (key, transport) = (P256.Signing.PrivateKey(), ScriptedTransport([]))
        let client = try client(try options(), key: key, by: transport)
        _ = try? await client.redeem(code: "c", for: AuthorizationRequest(state: "s"))
        _ = try? await client.refresh(refreshToken: "r")
        try? await client.revoke("t")
        var secrets: Set<String> = []
        for request in transport.sent where request.method == .post {
            let body = try #require(FormData(parsing: String(decoding: request.body, as: UTF8.self)))
            guard case .one(let secret) = body["client_secret"] else { continue }
            let token = try Assertion<Secret>(secret, signedBy: key.publicKey)
            let claims = token.claims
            #expect(token.header.kid == "ABC123DEFG")
            #expect(claims.iss == "DEF123GHIJ" && claims.sub == "com.example.site" && claims.aud == Self.issuer)
            #expect(claims.exp - claims.iat < 15_777_000 && claims.iat == Int(OpenIDClient.testTime))
            #expect(body["client_id"] == .one("com.example.site") && body["client_assertion"] == .none)
            secrets.insert(secret)
        }
        #expect(secrets.count == 3)
    }

    @Test(arguments: [(["name", "email"], true), (["openid", "email"], true), (["openid"], false)])
    func `P24: a form is requested if the scopes have name or email`(scopes: [String], isForm: Bool) throws {
        let address = try client(try options(scopes)).authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(address.contains("&response_mode=form_post") == isForm)
    }

    private func answer(_ user: String, _ options: ProtocolOptions) throws -> AuthorizationResponse {
        try client(options).parseCallback(query: FormData(["state": "s", "code": "c", "user": user]).encoded)
    }

    @Test(
        arguments: [
            (#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"a@b.example"}"#, "Ada Lovelace"),
            (#"{"name":{"firstName":"Ada"}}"#, "Ada"), (#"{"name":{"lastName":"\u67d0"}}"#, "某"),
            (#"{"name":{"firstName":"","lastName":"L"}}"#, "L"), (#"{"name":{"firstName":"a\nb"}}"#, nil),
            (#"{"name":{"firstName":\#(1)}}"#, nil), (#"{"name":"Ada"}"#, nil), (#"{"name":null}"#, nil), ("{}", nil),
            ("Ada", nil), ("", nil), (#"{"name":{"firstName":"\#(String(repeating: "a", count: 256))"}}"#, nil),
        ] as [(String, String?)]
    )
    func `P25: the name of the first callback is read, if it is a text without control characters`(
        user: String,
        name: String?
    ) throws {
        #expect(try answer(user, try options()).displayName == name)
        // A callback that is not a form can be any link.
        #expect(try answer(user, try options(["openid"])).displayName == nil)
    }

    @Test func `a cancelled sign-in at Apple is known`() throws {
        let answer = try client(try options()).parseCallback(query: "error=user_cancelled_authorize&state=s")
        #expect(answer.outcome == .error(.cancelled))
    }
}
