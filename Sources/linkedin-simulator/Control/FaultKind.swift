import struct Foundation.Data
import class Foundation.JSONDecoder

/// The kinds of faults of endpoints.
enum FaultKind: Sendable, Hashable {
    /// What changes the way of the correct answer to the client.
    enum Delivery: String, CaseIterable {
        case delay, drip, truncated
        case truncatedChunks = "truncated-chunks"
        case huge
    }

    /// An answer in place of the correct answer.
    enum Replacement: String, CaseIterable {
        case hang, close, status, revoked, redirect, answer, garbage, html, empty
    }

    /// What changes a member of a JSON answer, or all of it.
    enum Object: String, CaseIterable {
        case jsonArray = "json-array"
        case deep
        case duplicateKeys = "duplicate-keys"
        case noIDToken = "no-id-token"
        case macTokenType = "mac-token-type"
        case missingAccessToken = "missing-access-token"
        case absurdExpiresIn = "absurd-expires-in"
        case otherSubject = "other-sub"
        case otherMember = "other-member"
        case xss
        case evilLink = "evil-link"
    }

    /// What changes the ID token before it is signed.
    enum Identity: String, CaseIterable {
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
    }

    /// What changes the key set.
    enum Keys: String, CaseIterable {
        case otherKey = "other-key"
        case brokenKey = "broken-key"
        case manyKeys = "many-keys"
    }

    case delivery(Delivery)
    case replacement(Replacement)
    case object(Object)
    case identity(Identity)
    case keys(Keys)

    /// Whether an endpoint can have this fault.
    func applies(to endpoint: EndpointName) -> Bool {
        switch self {
        case .replacement(.revoked), .object(.evilLink): [.userinfo, .identityMe, .me, .v1].contains(endpoint)
        case .replacement, .delivery: true
        case .object(.jsonArray), .object(.deep), .object(.duplicateKeys): endpoint.answersJSON
        case .object(.noIDToken), .object(.macTokenType), .object(.missingAccessToken), .object(.absurdExpiresIn),
            .object(.otherMember), .identity:
            endpoint == .token
        case .object(.otherSubject): endpoint == .userinfo
        case .object(.xss): [.token, .userinfo, .identityMe, .me].contains(endpoint)
        case .keys: endpoint == .jwks
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
    case type, body, body64, headers, version
    case claims

    /// Reads a value; in a form every value is text.
    ///
    /// - Parameter value: the value that was sent.
    /// - Returns: a number, a text or an object, depending on the option.
    /// - Throws: if the value has the wrong type.
    func read(_ value: JSON) throws(ControlError) -> JSON {
        let read: JSON? =
            switch self {
            case .ms, .bytes, .depth, .keys, .member, .status, .code: value.integer.map(JSON.int)
            case .idToken: ["yes", "no"].contains(value) ? value : nil
            case .retryAfter: value.string == nil && value.integer == nil ? nil : .string(value.plain)
            case .type, .body, .version: value.string.map(JSON.string)
            case .body64: value.string.flatMap { Data(base64Encoded: $0) }.map { _ in value }
            case .headers, .claims: value.readObject
            }
        guard let read else { throw .invalid(rawValue, value.text) }
        return read
    }

    /// The faults that have this option.
    fileprivate var kinds: [FaultKind] {
        switch self {
        case .ms: [.delivery(.delay), .delivery(.drip)]
        case .bytes: [.delivery(.truncated), .delivery(.huge)]
        case .depth: [.object(.deep)]
        case .keys: [.keys(.manyKeys)]
        case .member, .idToken: [.object(.otherMember)]
        case .status: [.replacement(.status), .replacement(.redirect), .replacement(.answer)]
        case .code, .retryAfter: [.replacement(.status)]
        case .type, .body, .body64, .headers, .version: [.replacement(.answer)]
        case .claims: [.identity(.claims)]
        }
    }
}

extension JSON {
    /// An object, also as the JSON text of a form.
    fileprivate var readObject: JSON? {
        let value = string.flatMap { try? JSONDecoder().decode(JSON.self, from: Data($0.utf8)) } ?? self
        return if case .object = value { value } else { nil }
    }
}

extension FaultKind: CaseIterable {
    static let allCases: [FaultKind] = [
        Delivery.allCases.map(delivery), Replacement.allCases.map(replacement), Object.allCases.map(object),
        Identity.allCases.map(identity), Keys.allCases.map(keys),
    ].flatMap(\.self)

    /// The name in requests and in the log.
    var name: String {
        switch self {
        case .delivery(let fault): fault.rawValue
        case .replacement(let fault): fault.rawValue
        case .object(let fault): fault.rawValue
        case .identity(let fault): fault.rawValue
        case .keys(let fault): fault.rawValue
        }
    }

    /// The options of a fault.
    var options: [FaultOption] { FaultOption.allCases.filter { $0.kinds.contains(self) } }
}
