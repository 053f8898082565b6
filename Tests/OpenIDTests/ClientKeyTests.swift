import Crypto
import CryptoExtras
import HTTP
import Testing

@testable import OpenID

/// Authentication of the client with a private key (RFC 7523, OpenID Connect Core §9).
@Suite struct ClientKeyTests {
    private static let curve = P256.Signing.PrivateKey()
    private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private struct Claims: Decodable {
        let iss: String
        let sub: String
        let aud: String
        let jti: String
        let iat: Int
        let exp: Int
    }

    /// The form of a token request with this key.
    private func form(_ key: ClientKey, issuers: [String] = ["https://provider.example"]) async throws -> FormData {
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(
            options: .make(issuers: issuers, clientAuthentication: .privateKey),
            credentials: ClientCredentials(identifier: "client", secret: "", key: key),
            transport: transport
        )
        _ = try? await client.redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
        let request = try #require(transport.sent.first)
        #expect(request.headers[.authorization] == nil)
        return try #require(FormData(parsing: String(decoding: request.body, as: UTF8.self)))
    }

    private func assertion(_ form: FormData) throws -> String {
        guard case .one(let text) = form["client_assertion"] else { throw OpenIDError(.clientRefused) }
        return text
    }

    @Test func `the assertion of a P-256 key is an ES256 token with the identifier of the key`() async throws {
        let key = try #require(ClientKey(pem: Self.curve.pemRepresentation, identifier: "key-1"))
        let form = try await form(key)
        let token = try Assertion<Claims>(try assertion(form), signedBy: Self.curve.publicKey)
        #expect(token.header == .init(alg: "ES256", kid: "key-1"))
        let claims = token.claims
        #expect(claims.iss == "client" && claims.sub == "client")
        #expect(claims.exp == claims.iat + 120 && claims.iat == Int(OpenIDClient.testTime))
        let expected = ["grant_type", "code", "redirect_uri", "client_id", "client_assertion_type", "client_assertion"]
        #expect(form.pairs.map(\.name) == expected)
        let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        #expect(form["client_assertion_type"] == .one(type))
    }

    @Test func `the assertion of an RSA key is an RS256 token without kid if none is set`() async throws {
        let pair = try Self.rsa.get()
        let key = try #require(ClientKey(pem: pair.pemRepresentation, identifier: nil))
        let text = try assertion(try await form(key))
        let token = try Assertion(text, as: Claims.self) {
            pair.publicKey.isValidSignature(.init(rawRepresentation: $0), for: $1, padding: .insecurePKCS1v1_5)
        }
        #expect(token.claims.sub == "client")
        // {"alg":"RS256","typ":"JWT"}
        #expect(text.hasPrefix("eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9."))
    }

    @Test func `P9: the only audience of an assertion is the issuer, and no assertion is used twice`() async throws {
        let key = try #require(ClientKey(pem: Self.curve.pemRepresentation, identifier: nil))
        var seen: Set<String> = []
        for issuer in ["https://provider.example", "https://provider.example/", "https://other.example/tenant"] {
            let text = try assertion(try await form(key, issuers: [issuer, "https://alias.example"]))
            let claims = try Assertion<Claims>(text, signedBy: Self.curve.publicKey).claims
            #expect(claims.aud == issuer)
            seen.insert(claims.jti)
        }
        #expect(seen.count == 3)
    }

    @Test func `only a private key of a supported type and size is accepted`() throws {
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        #expect(small.keySizeInBits == 1024)
        let wrong = [
            "", "key", Self.curve.publicKey.pemRepresentation, P384.Signing.PrivateKey().pemRepresentation,
            try Self.rsa.get().publicKey.pemRepresentation, small.pemRepresentation,
            String(Self.curve.pemRepresentation.dropLast(40)),
        ]
        for text in wrong { #expect(ClientKey(pem: text, identifier: nil) == nil) }
    }

    @Test func `a key is never printed`() throws {
        let key = try #require(ClientKey(pem: Self.curve.pemRepresentation, identifier: "hush"))
        var dumped = ""
        dump(ClientCredentials(identifier: "client", secret: "", key: key), to: &dumped)
        #expect(!"\(key)\(dumped)".contains("hush"))
    }

    @Test func `a document decides whether a key can be used, and its algorithm`() throws {
        let key = try #require(ClientKey(pem: Self.curve.pemRepresentation, identifier: nil))
        func method(_ members: String) throws(OpenIDError) -> ProtocolOptions.ClientAuthentication {
            let text = """
                {"issuer":"https://p.example","authorization_endpoint":"https://p.example/a",\
                "token_endpoint":"https://p.example/t","jwks_uri":"https://p.example/k"\(members)}
                """
            return try DiscoveryDocument(parsing: Array(text.utf8), issuer: "https://p.example")
                .options(scopes: ["openid"], hasSecret: false, key: key).clientAuthentication
        }
        let methods = #","token_endpoint_auth_methods_supported":["client_secret_basic","private_key_jwt"]"#
        let algorithms = #","token_endpoint_auth_signing_alg_values_supported""#
        #expect(try method(methods) == .privateKey)
        #expect(try method("\(methods)\(algorithms):[\"RS256\",\"ES256\"]") == .privateKey)
        for wrong in ["", "\(methods)\(algorithms):[\"RS256\"]"] {
            #expect(throws: OpenIDError.self) { try method(wrong) }
        }
    }
}
