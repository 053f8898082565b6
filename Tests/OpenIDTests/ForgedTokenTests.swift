import OpenID
import Testing

@Suite struct ForgedTokenTests {
    private func refusal(
        _ token: String,
        key: SigningKey,
        _ options: ProtocolOptions = .make()
    ) async -> OpenIDError.Code? {
        await OpenIDClient.refusal(token, keys: [key.jwk], options: options)
    }

    @Test(arguments: [
        #""none""#, #""None""#, #""NONE""#, #""""#, #""RS256 ""#, #""rs256""#, #""HS256""#, "null", "7", nil,
    ])
    func `a missing or unlisted algorithm is rejected`(algorithm: String?) async throws {
        let key = try SigningKey.rsa()
        let token = TokenText(header: ["alg": algorithm, "zip": nil])
        #expect(await refusal(try token.signed(by: key), key: key) == .idTokenAlgorithm)
        #expect(await refusal(token.signingInput + ".", key: key) == .idTokenAlgorithm)
    }

    @Test func `an ID token signed with the public key as an HMAC secret is rejected`() async throws {
        let key = try SigningKey.rsa()
        let token = try TokenText(header: ["alg": #""HS256""#, "zip": nil])
            .signed(by: SigningKey.secret(key.jwk))
        #expect(await refusal(token, key: key) == .idTokenAlgorithm)
        let provider = ProtocolOptions.make(idTokenAlgorithms: SigningAlgorithm.allCases)
        #expect(await refusal(token, key: key, provider) == .idTokenAlgorithm)
    }

    @Test func `an ID token signed by another key with the same identifier is rejected`() async throws {
        let token = try TokenText().signed(by: SigningKey.rsa(number: 1))
        #expect(await refusal(token, key: try .rsa()) == .idTokenSignature)
    }

    @Test func `an ID token whose claims or header changed after signing is rejected`() async throws {
        let key = try SigningKey.rsa()
        let good = try TokenText().signed(by: key).split(separator: ".").map(String.init)
        let other = TokenText(claims: ["sub": #""victim""#]).signingInput.split(separator: ".").map(String.init)
        #expect(await refusal([good[0], other[1], good[2]].joined(separator: "."), key: key) == .idTokenSignature)
        let header = TokenText(header: ["x": "1"]).signingInput.split(separator: ".").map(String.init)
        #expect(await refusal([header[0], good[1], good[2]].joined(separator: "."), key: key) == .idTokenSignature)
        #expect(await refusal("\(good[0]).\(good[1]).", key: key) == .idTokenSignature)
        #expect(await refusal("\(good[0]).\(good[1]).AAAA", key: key) == .idTokenSignature)
    }

    @Test func `an ID token with one changed character is rejected`() async throws {
        let key = SigningKey.elliptic()
        let peer = try KeySetPeer(key)
        let client = OpenIDClient.make(options: .make(idTokenAlgorithms: [.es256]), transport: peer.transport)
        let needless = ["name", "given_name", "family_name", "picture", "email", "email_verified", "locale"]
        let text = TokenText(
            header: ["alg": #""ES256""#, "kid": #""curve""#, "zip": nil],
            claims: Dictionary(uniqueKeysWithValues: needless.map { ($0, nil) })
        )
        let good = Array(try text.signed(by: key).utf8)
        var believed: [Int] = []
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for place in good.indices {
            var bad = good
            // The next character of the alphabet; at the end of a segment it differs in unused bits only.
            let value = alphabet.firstIndex(of: good[place]) ?? -1
            bad[place] = alphabet[(value + 1) % 64]
            let text = String(decoding: bad, as: UTF8.self)
            if (try? await client.verify(idToken: text, accessToken: nil, nonce: nil)) != nil { believed.append(place) }
        }
        #expect(believed.isEmpty)
        let token = try await client.verify(
            idToken: String(decoding: good, as: UTF8.self),
            accessToken: nil,
            nonce: nil
        )
        #expect(token.member.subject == "782bbtaQ-_")
    }

    @Test(arguments: [#"["exp"]"#, #"["b64"]"#, "[]", "null"])
    func `a critical extension is rejected, known or not`(extensions: String) async throws {
        let key = try SigningKey.rsa()
        let token = try TokenText(header: ["crit": extensions, "b64": "true"]).signed(by: key)
        #expect(await refusal(token, key: key) == .idTokenMalformed)
    }

    @Test(
        arguments: [
            ("zip", #""DEF""#), ("zip", "true"), ("zip", #""RS384""#), ("typ", #""at+jwt""#), ("typ", "7"),
            ("typ", #""logout+jwt""#), ("kid", "7"), ("kid", "null"),
        ]
    )
    func `an ID token header with another zip, typ or kid type is rejected`(name: String, value: String) async throws {
        let key = try SigningKey.rsa()
        #expect(await refusal(try TokenText(header: [name: value]).signed(by: key), key: key) == .idTokenMalformed)
    }

    @Test func `a key in the header of the token is not used`() async throws {
        let forger = try SigningKey.rsa(number: 1)
        let header = ["jwk": forger.jwk, "jku": #""https://evil.example/jwks""#, "x5u": #""https://evil.example""#]
        let token = try TokenText(header: header).signed(by: forger)
        #expect(await refusal(token, key: try .rsa()) == .idTokenSignature)
    }

    @Test func `an ID token needs neither typ nor LinkedIn's zip`() async throws {
        let key = try SigningKey.rsa()
        let token = try TokenText(header: ["typ": nil, "zip": nil]).signed(by: key)
        #expect(await refusal(token, key: key) == nil)
        #expect(await refusal(try TokenText(header: ["typ": #""jwt""#]).signed(by: key), key: key) == nil)
    }

    @Test func `an ID token must have three well-formed segments`() async throws {
        let key = try SigningKey.rsa()
        let good = try TokenText().signed(by: key)
        let parts = good.split(separator: ".").map(String.init)
        let array = "[]".base64URL
        let bad = [
            "", ".", "..", "...", "not a token", "\(parts[0]).\(parts[1])", good + ".", good + ".a.b", " " + good,
            good + "=", good + "\n", good.replacing("-", with: "+").replacing("_", with: "/") + "+",
            "\(array).\(parts[1]).\(parts[2])", "\(parts[0]).\(array).\(parts[2])", "\(parts[0])..\(parts[2])",
            "\(parts[0]).\("{".base64URL).\(parts[2])", "é.é.é", "\(parts[0]).\(parts[1]).A",
            "\(parts[0]).\(#"{"sub":"a","sub":"b"}"#.base64URL).\(parts[2])",
            "\(#"{"alg":"RS256","alg":"none"}"#.base64URL).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(String(repeating: "[", count: 5000).base64URL).\(parts[2])",
        ]
        for text in bad { #expect(await refusal(text, key: key) == .idTokenMalformed, "\(text)") }
    }

    @Test func `an ID token longer than 16 KiB is rejected even if its signature is valid`() async throws {
        let key = try SigningKey.rsa()
        let filler = { (count: Int) in #""\#(String(repeating: "x", count: count))""# }
        #expect(await refusal(try TokenText(claims: ["x": filler(11_000)]).signed(by: key), key: key) == nil)
        let long = try TokenText(claims: ["x": filler(12_000)]).signed(by: key)
        #expect(await refusal(long, key: key) == .idTokenMalformed)
    }

    @Test func `an error contains nothing from the rejected ID token`() async throws {
        let key = try SigningKey.rsa()
        let token = try TokenText(header: ["kid": #""hush""#], claims: ["sub": #""hush""#]).signed(by: key)
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.verify(token, keys: [key.jwk])
        }
        #expect(error?.code == .idTokenKey)
        #expect("\(String(describing: error))".contains("hush") == false)
    }
}
