import Encoding
import HTTP

import struct FoundationEssentials.Date

@testable import OpenID

/// An ID token in compact form, or its header, payload and signature on one line each, which are encoded here.
///
/// With `sign` as signature the token gets a valid signature, so that the later checks are reached too.
enum IDTokenInput {
    private static let issuer = "https://provider.example"
    private static let credentials = ClientCredentials(identifier: "client", secret: "secret")
    private static let now = 1_800_000_000.0

    private static let provider = ProtocolOptions(
        issuers: [issuer],
        authorizationEndpoint: issuer + "/authorize",
        tokenEndpoint: issuer + "/token",
        jwksURI: issuer + "/keys",
        scopes: ["openid"],
        usesNonce: false,
        idTokenAlgorithms: [.es256]
    )

    private static let everyAlgorithm = {
        var options = provider
        options.idTokenAlgorithms = SigningAlgorithm.allCases
        return options
    }()

    private static let client = OpenIDClient(
        options: provider,
        credentials: credentials,
        redirectURI: "https://site.example/oauth",
        transport: SigningKey.fixed,
        now: { Date(timeIntervalSince1970: now) },
        pause: { _ in }
    )

    static func take(_ input: [UInt8]) {
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 3 else { return check(String(decoding: input, as: UTF8.self), isSigned: false) }
        let signed = Base64URL.encode(lines[0]) + "." + Base64URL.encode(lines[1])
        guard lines[2].elementsEqual("sign".utf8) else {
            return check(signed + "." + String(decoding: lines[2], as: UTF8.self), isSigned: false)
        }
        let signature = SigningKey.fixed.signature(over: Array(signed.utf8))
        check(signed + "." + Base64URL.encode(signature), isSigned: true)
    }

    private static func check(_ text: String, isSigned: Bool) {
        if let token = try? SignedToken(text, everyAlgorithm) {
            let spelling = token.signingInput + Array(".\(Base64URL.encode(token.signature))".utf8)
            precondition(spelling.elementsEqual(text.utf8), "a token has two encodings")
        }
        let verified = Waiting.result { try? await client.verify(idToken: text, accessToken: "token", nonce: nil) }
        guard let verified else { return }
        precondition(isSigned, "a token without a valid signature was accepted")
        precondition(verified.issuer.isIdentical(to: issuer), "another issuer was accepted")
        precondition((1...255).contains(verified.member.subject.utf8.count), "the subject is empty or too long")
        precondition(verified.expires.timeIntervalSince1970 > now - 61, "an expired token was accepted")
        precondition(verified.issued.timeIntervalSince1970 < now + 61, "a token from the future was accepted")
    }
}
