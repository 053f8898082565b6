import OpenID
import Testing

import struct Foundation.Data

@Suite struct KeyChoiceTests {
    private func refusal(
        _ text: TokenText = TokenText(),
        signedBy key: SigningKey,
        keys: [String],
        _ algorithms: [SigningAlgorithm] = [.rs256]
    ) async throws -> OpenIDError.Code? {
        await OpenIDClient.refusal(
            try text.signed(by: key),
            keys: keys,
            options: .make(idTokenAlgorithms: algorithms)
        )
    }

    @Test func `an ID token without kid is accepted if the only key signed it`() async throws {
        let key = try SigningKey.rsa()
        let token = TokenText(header: ["kid": nil])
        #expect(try await refusal(token, signedBy: key, keys: [key.jwk]) == nil)
        #expect(try await refusal(token, signedBy: key, keys: ["{\(key.publicMembers)}"]) == nil)
    }

    @Test func `an ID token without kid is accepted if any of several keys signed it`() async throws {
        let first = try SigningKey.rsa()
        let second = try SigningKey.rsa("second", number: 1)
        let token = TokenText(header: ["kid": nil])
        #expect(try await refusal(token, signedBy: second, keys: [first.jwk, second.jwk]) == nil)
        #expect(try await refusal(token, signedBy: second, keys: [first.jwk]) == .idTokenSignature)
    }

    @Test func `an ID token with kid is verified only with that key`() async throws {
        let first = try SigningKey.rsa()
        let second = try SigningKey.rsa("second", number: 1)
        #expect(try await refusal(signedBy: second, keys: [first.jwk, second.jwk]) == .idTokenSignature)
        let unknown = TokenText(header: ["kid": #""third""#])
        #expect(try await refusal(unknown, signedBy: first, keys: [first.jwk, second.jwk]) == .idTokenKey)
        #expect(try await refusal(signedBy: first, keys: ["{\(first.publicMembers)}"]) == .idTokenKey)
    }

    @Test func `two keys with the same identifier are both tried`() async throws {
        let first = try SigningKey.rsa()
        let second = try SigningKey.rsa("first", number: 1)
        #expect(try await refusal(signedBy: second, keys: [first.jwk, second.jwk]) == nil)
    }

    @Test(
        arguments: [
            (#""use":"sig","alg":"RS256""#, nil), (#""key_ops":["verify"]"#, nil), (#""use":"enc""#, .keysUnavailable),
            (#""use":7"#, .keysUnavailable), (#""alg":"RS384""#, .idTokenKey), (#""alg":"HS256""#, .keysUnavailable),
            (#""alg":null"#, .keysUnavailable), (#""key_ops":["sign"]"#, .keysUnavailable),
            (#""key_ops":"verify""#, .keysUnavailable), (#""d":"AQAB""#, .keysUnavailable),
            (#""k":"AQAB""#, .keysUnavailable), (#""crv":"P-256""#, .keysUnavailable),
        ] as [(String, OpenIDError.Code?)]
    )
    func `a key is used only as its use, key_ops and alg allow`(
        members: String,
        expected: OpenIDError.Code?
    ) async throws {
        let key = try SigningKey.rsa()
        let jwk = #"{"kid":"first",\#(members),\#(key.publicMembers)}"#
        #expect(try await refusal(signedBy: key, keys: [jwk]) == expected)
    }

    @Test func `an unusable key does not affect a usable key`() async throws {
        let key = try SigningKey.rsa()
        let bad = [
            "7", "null", "{}", "[]", #"{"kty":"RSA"}"#, #"{"kty":"RSA","n":"!","e":"AQAB"}"#, #"{"kty":"oct","k":"x"}"#,
            #"{"kty":"RSA","kid":"first","n":"AQAB","e":"AQAB"}"#, #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#,
            #"{"kty":7,"kid":["first"]}"#, #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
        ]
        #expect(try await refusal(signedBy: key, keys: bad + [key.jwk]) == nil)
        #expect(try await refusal(signedBy: key, keys: [key.jwk] + bad) == nil)
        #expect(try await refusal(signedBy: key, keys: bad) == .keysUnavailable)
    }

    @Test func `an RSA key below 2048 bits is rejected, with or without leading zeros`() async throws {
        let good = try SigningKey.rsa()
        for padding in [0, 1, 200] {
            let modulus = [UInt8](repeating: 0, count: padding) + [0x7f] + [UInt8](repeating: 0xff, count: 255)
            let jwk = #"{"kid":"first","kty":"RSA","e":"AQAB","n":"\#(Data(modulus).base64URL)"}"#
            #expect(try await refusal(signedBy: good, keys: [jwk]) == .keysUnavailable)
        }
    }

    @Test func `an ES256 signature is accepted only if the provider may use ES256`() async throws {
        let key = SigningKey.elliptic()
        let token = TokenText(header: ["alg": #""ES256""#, "kid": #""curve""#, "zip": nil])
        #expect(try await refusal(token, signedBy: key, keys: [key.jwk], [.rs256, .es256]) == nil)
        #expect(try await refusal(token, signedBy: key, keys: [key.jwk]) == .idTokenAlgorithm)
        let other = SigningKey.elliptic()
        #expect(try await refusal(token, signedBy: other, keys: [key.jwk], [.es256]) == .idTokenSignature)
    }

    @Test func `an EC key whose point is not on the curve is rejected`() async throws {
        let key = SigningKey.elliptic()
        let coordinate = Data([UInt8](repeating: 1, count: 32)).base64URL
        let jwk = #"{"kid":"curve","kty":"EC","crv":"P-256","x":"\#(coordinate)","y":"\#(coordinate)"}"#
        let token = TokenText(header: ["alg": #""ES256""#, "kid": #""curve""#, "zip": nil])
        #expect(try await refusal(token, signedBy: key, keys: [jwk], [.es256]) == .keysUnavailable)
        #expect(try await refusal(token, signedBy: key, keys: [jwk, key.jwk], [.es256]) == nil)
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a signature made by PyJWT verifies only for its own text`(algorithm: SigningAlgorithm) async throws {
        let (key, token) = try ForeignSignature.key(for: algorithm)
        let provider = ProtocolOptions.make(idTokenAlgorithms: SigningAlgorithm.allCases)
        #expect(await OpenIDClient.refusal(token, keys: [key], options: provider) == nil)
        let other = TokenText(header: ["alg": #""\#(algorithm.rawValue)""#, "zip": nil], claims: ["sub": #""other""#])
        let forged = "\(other.signingInput).\(try #require(token.split(separator: ".").last))"
        #expect(await OpenIDClient.refusal(forged, keys: [key], options: provider) == .idTokenSignature)
    }

    @Test(arguments: [
        // The left half of the hash with which the algorithm signs (OpenID Connect Core §3.1.3.6).
        (SigningAlgorithm.es256, "77QmUPtjPfzWtF2AnpK9RQ"), (.rs384, "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs"),
        (.ps512, "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"),
        (.eddsa, "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"),
    ])
    func `at_hash has half the length of the hash of the algorithm`(
        algorithm: SigningAlgorithm,
        hash: String
    ) async throws {
        let key = try SigningKey.key(for: algorithm)
        let refusal = { (hash: String) in
            await OpenIDClient.refusal(
                try TokenText(
                    header: ["alg": #""\#(algorithm.rawValue)""#, "zip": nil],
                    claims: ["at_hash": #""\#(hash)""#]
                ).signed(by: key),
                keys: [key.jwk],
                options: .make(idTokenAlgorithms: [algorithm]),
                accessToken: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
            )
        }
        #expect(try await refusal(hash) == nil)
        #expect(try await refusal(String(hash.dropLast())) == .idTokenHash)
    }

    @Test(arguments: [
        (SigningAlgorithm.rs256, SigningAlgorithm.ps256), (.rs256, .rs384), (.ps512, .ps256), (.rs512, .ps512),
    ])
    func `a signature of one RSA algorithm does not verify as another`(
        made: SigningAlgorithm,
        named: SigningAlgorithm
    ) async throws {
        let key = try SigningKey.key(for: made)
        let text = TokenText(header: ["alg": #""\#(named.rawValue)""#, "zip": nil])
        let refusal = try await refusal(text, signedBy: key, keys: [key.jwk], [named])
        #expect(refusal == .idTokenSignature)
    }

    @Test func `an algorithm of another key type finds no key`() async throws {
        let key = try SigningKey.rsa()
        let token = TokenText(header: ["alg": #""ES256""#, "zip": nil])
        #expect(try await refusal(token, signedBy: key, keys: [key.jwk], [.es256]) == .idTokenKey)
    }
}
