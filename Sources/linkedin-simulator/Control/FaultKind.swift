import struct Foundation.Data
import class Foundation.JSONDecoder

/// The kinds of faults of endpoints.
enum FaultKind: String, Sendable, CaseIterable {
    case delay, hang, close, drip
    case truncated
    case truncatedChunks = "truncated-chunks"
    case status, revoked, redirect, answer
    case garbage, html, empty
    case jsonArray = "json-array"
    case huge, deep
    case duplicateKeys = "duplicate-keys"
    case claims

    case wrongSignature = "wrong-signature"
    case wrongAudience = "wrong-aud"
    case wrongIssuer = "wrong-iss"
    case wrongNonce = "wrong-nonce"
    case expired
    case notYet = "not-yet"
    case noIssueTime = "no-iat"
    case noSubject = "no-sub"
    case algorithmNone = "alg-none"
    case algorithmHS256 = "alg-hs256"
    case unknownKey = "unknown-kid"
    case noKey = "no-kid"

    case noIDToken = "no-id-token"
    case macTokenType = "mac-token-type"
    case missingAccessToken = "missing-access-token"
    case absurdExpiresIn = "absurd-expires-in"

    case otherSubject = "other-sub"
    case otherMember = "other-member"
    case xss
    case evilLink = "evil-link"

    case otherKey = "other-key"
    case brokenKey = "broken-key"
    case manyKeys = "many-keys"

    /// Whether an endpoint can have this fault.
    func applies(to endpoint: EndpointName) -> Bool {
        switch self {
        case .delay, .hang, .close, .drip, .truncated, .truncatedChunks, .status, .redirect, .answer, .garbage, .html,
            .empty, .huge:
            true
        case .jsonArray, .deep, .duplicateKeys: endpoint.answersJSON
        case .revoked: [.userinfo, .identityMe, .me, .v1].contains(endpoint)
        case .wrongSignature, .wrongAudience, .wrongIssuer, .wrongNonce, .expired, .notYet, .noIssueTime, .noSubject,
            .algorithmNone, .algorithmHS256, .unknownKey, .noKey, .noIDToken, .macTokenType, .missingAccessToken,
            .absurdExpiresIn, .claims, .otherMember:
            endpoint == .token
        case .otherSubject: endpoint == .userinfo
        case .xss: [.token, .userinfo, .identityMe, .me].contains(endpoint)
        case .evilLink: [.userinfo, .identityMe, .me, .v1].contains(endpoint)
        case .otherKey, .brokenKey, .manyKeys: endpoint == .jwks
        }
    }

    /// The faults in the text of `--help`.
    static let help = """
        FAULTS at every endpoint
          delay             [ms=1000] the correct answer, late (at most 50 s)
          hang              no answer while the client waits
          close             the connection ends without a byte
          drip              [ms=100] the correct answer, one byte at a time
          truncated         [bytes=100] the correct answer with a Content-Length
                            that is too large by this many bytes
          truncated-chunks  the correct answer in chunks, without the last chunk
          huge              [bytes=2097152] the correct answer and many spaces
          status            status=N: LinkedIn's envelope for that status
                            [retry-after=S] [code=65600|65601|65602|65604]
          redirect          [status=302] to /elsewhere/NAME
          garbage, html, empty
                            200 with an invalid body
          answer            [status=200] [type=application/json]
                            [body=TEXT | body64=BASE64] [headers=OBJECT]
                            [version=HTTP/1.1] this answer; a header may be an
                            array, and Content-Length may be wrong
        FAULTS of endpoints that answer with a JSON object
          json-array        the correct answer inside an array
          deep              [depth=100000] one more member, nested this deep
          duplicate-keys    every text member again, with the value "duplicate"
        FAULTS of the ID token, at token
          wrong-signature, wrong-aud, wrong-iss, wrong-nonce, expired, not-yet,
          no-iat, no-sub, alg-none, alg-hs256, unknown-kid, no-kid
          claims            claims=OBJECT: adds these claims; null removes one
        FAULTS of other members, at token
          no-id-token, mac-token-type, missing-access-token, absurd-expires-in
        FAULTS of single endpoints
          other-member      [member=2] [id-token=yes|no]
                            token: the tokens of another member
          revoked           userinfo, identityMe, me, v1: REVOKED_ACCESS_TOKEN
          other-sub         userinfo: the subject of another member
          xss               token, userinfo, identityMe, me: markup in names,
                            script in picture addresses
          evil-link         userinfo, identityMe, me, v1: script in profile links
          other-key, broken-key, many-keys [keys=10000]
                            jwks: the wrong key, malformed keys, too many keys
        """
}

/// An option of a fault.
enum FaultOption: String, Sendable, CaseIterable {
    case ms, bytes, depth, keys, member
    case idToken = "id-token"
    case status, code
    case retryAfter = "retry-after"
    case version, type, body, body64
    case headers, claims

    /// Reads a value; in a form every value is text.
    ///
    /// - Parameter value: the value that was sent.
    /// - Returns: a number, a text or an object, depending on the option.
    /// - Throws: if the value has the wrong type.
    func read(_ value: JSON) throws(ControlError) -> JSON {
        switch (self, value) {
        case (.claims, .object), (.headers, .object): return value
        case (.claims, .string(let text)), (.headers, .string(let text)):
            if let object = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)), case .object = object {
                return object
            }
        case (.body64, .string(let text)):
            if Data(base64Encoded: text) != nil { return value }
        case (.idToken, .string("yes")), (.idToken, .string("no")): return value
        case (.retryAfter, .string), (.type, .string), (.body, .string), (.version, .string): return value
        case (.retryAfter, .int(let number)): return .string(String(number))
        case (.ms, .int), (.bytes, .int), (.depth, .int), (.keys, .int), (.member, .int), (.status, .int),
            (.code, .int):
            return value
        case (.ms, .string(let text)), (.bytes, .string(let text)), (.depth, .string(let text)),
            (.keys, .string(let text)), (.member, .string(let text)), (.status, .string(let text)),
            (.code, .string(let text)):
            if let number = Int(text) { return .int(number) }
        default: break
        }
        throw .invalid(rawValue, value.text)
    }
}

extension FaultKind {
    /// The options of a fault.
    var options: [FaultOption] {
        switch self {
        case .delay, .drip: [.ms]
        case .truncated, .huge: [.bytes]
        case .deep: [.depth]
        case .manyKeys: [.keys]
        case .status: [.status, .code, .retryAfter]
        case .redirect: [.status]
        case .answer: [.status, .type, .body, .body64, .headers, .version]
        case .claims: [.claims]
        case .otherMember: [.member, .idToken]
        default: []
        }
    }
}
