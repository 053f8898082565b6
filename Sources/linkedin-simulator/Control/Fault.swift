import struct Foundation.Data

/// A fault that an endpoint will show.
struct Fault: Sendable {
    let kind: FaultKind
    /// How many more requests it affects; nil if it stays until it is cleared.
    var remaining: Int?
    let options: [FaultOption: JSON]

    /// A numeric option, never negative.
    func int(_ option: FaultOption, default value: Int) -> Int {
        if case .int(let number) = options[option] { max(number, 0) } else { value }
    }

    func text(_ option: FaultOption) -> String? {
        options[option]?.string
    }

    /// The option `ms`, at most 50 seconds, because the server cancels a handler after 60 seconds.
    func pause(default milliseconds: Int) -> Duration {
        .milliseconds(min(int(.ms, default: milliseconds), 50_000))
    }

    /// The answer that replaces the correct answer; nil if the correct answer is needed.
    func replacement(at endpoint: EndpointName, base: String) -> Response? {
        guard case .replacement(let fault) = kind else { return nil }
        switch fault {
        case .hang, .close:
            var response = Response(0)
            response.delivery = fault == .hang ? .never : .dropped
            return response
        case .status: return statusAnswer(at: endpoint)
        case .revoked: return APIError.revokedToken.response
        case .redirect:
            var response = Response.redirect(to: "\(base)/elsewhere/\(endpoint.rawValue)")
            response.status = int(.status, default: 302)
            return response
        case .answer: return custom
        case .garbage:
            return Response(
                200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(Array("{\"access_token\": \"".utf8) + [0xFF, 0xFE, 0x00, 0xC0, 0x80] + Array("]]".utf8))
            )
        case .html:
            return .text("<!DOCTYPE html><title>Sorry</title><h1>We'll be back</h1>\n", type: "text/html")
        case .empty: return .text("", type: "application/json")
        }
    }

    private func statusAnswer(at endpoint: EndpointName) -> Response {
        let status = int(.status, default: 500)
        var response =
            endpoint == .token
            ? TokenError.envelope(for: status) : APIError.envelope(for: status, code: int(.code, default: 0))
        response.headers["Retry-After"] = text(.retryAfter) ?? (status == 429 ? "60" : nil)
        return response
    }

    private var custom: Response {
        let body =
            text(.body64).flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? Array((text(.body) ?? "").utf8)
        var response = Response(
            int(.status, default: 200),
            headers: ["Content-Type": text(.type) ?? "application/json"],
            body: .bytes(body)
        )
        response.version = text(.version) ?? response.version
        if case .object(let headers) = options[.headers] {
            for header in headers.members {
                for value in header.value.plainList { response.moreHeaders.append(header.name, value) }
            }
        }
        return response
    }

    /// The correct answer with the fault.
    func altered(_ response: Response) -> Response {
        var response = response
        switch kind {
        case .delivery(.drip): response.delivery = .dripped(pause(default: 100))
        case .delivery(.truncated): response.delivery = .overstated(by: int(.bytes, default: 100))
        case .delivery(.truncatedChunks): response.delivery = .unfinishedChunks
        case .delivery(.huge):
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: int(.bytes, default: 2_097_152))
            response.body = .bytes(response.bytes + padding)
            response.delivery = .chunked
        case .object(let fault):
            if case .json(.object(let object)) = response.body { response.body = .json(altered(object, fault)) }
        case .delivery(.delay), .replacement, .identity, .keys: break
        }
        return response
    }

    private func altered(_ object: JSONObject, _ fault: FaultKind.Object) -> JSON {
        var object = object
        switch fault {
        case .jsonArray: return .array([.object(object)])
        case .deep: object["deep"] = .nested(int(.depth, default: 100_000))
        case .duplicateKeys:
            object.members += object.members.compactMap { member in
                guard case .string = member.value else { return nil }
                return JSONObject.Member(name: member.name, value: "duplicate")
            }
        case .noIDToken: object["id_token"] = nil
        case .otherMember: if text(.idToken) == "no" { object["id_token"] = nil }
        case .missingAccessToken: object["access_token"] = nil
        case .macTokenType: object["token_type"] = "mac"
        case .absurdExpiresIn: object["expires_in"] = .number(1e300)
        case .otherSubject: object["sub"] = "somebody-1"
        case .xss: object = Markup.inNames(of: object)
        case .evilLink: object = Markup.inLinks(of: object)
        }
        return .object(object)
    }

    /// Puts the fault into a grant before tokens are issued for it.
    func alter(_ grant: inout Grant) {
        guard kind == .object(.otherMember), let member = Members.number(int(.member, default: 2)) else { return }
        grant.member = member
    }

    /// Puts the fault into an ID token before it is signed.
    func alter(_ token: inout IDToken) {
        if kind == .object(.xss) { token.claims = Markup.inNames(of: token.claims) }
        guard case .identity(let fault) = kind else { return }
        switch fault {
        case .wrongSignature: token.isTampered = true
        case .algorithmNone: token.signing = .none
        case .algorithmHS256: token.signing = .hs256
        case .unknownKey: token.keyIdentifier = RandomText.make(characters: 36)
        case .noKey: token.keyIdentifier = nil
        case .wrongAudience: token.claims["aud"] = "another-client"
        case .wrongIssuer: token.claims["iss"] = "https://issuer.example"
        case .wrongNonce: token.claims["nonce"] = "another-nonce"
        case .noIssueTime: token.claims["iat"] = nil
        case .noSubject: token.claims["sub"] = nil
        case .expired: token.shift(by: -86_400)
        case .notYet:
            token.shift(by: 86_400)
            token.claims["nbf"] = token.claims["iat"]
        case .claims:
            guard case .object(let claims) = options[.claims] else { return }
            for claim in claims.members { token.claims[claim.name] = claim.value == .null ? nil : claim.value }
        }
    }
}

extension IDToken {
    fileprivate mutating func shift(by seconds: Int) {
        for name in ["iat", "exp"] {
            if case .int(let time) = claims[name] { claims[name] = .int(time + seconds) }
        }
    }
}

extension Fault {
    /// Puts the fault into a key set.
    ///
    /// - Parameter set: the keys.
    /// - Throws: what the key generator throws.
    func alter(_ set: inout [JSON]) throws {
        guard case .keys(let fault) = kind, case .object(var key) = set.first else { return }
        switch fault {
        case .otherKey:
            key["n"] = try SigningKeys.Key(bits: 2048).jwk()["n"]
            set = [.object(key)]
        case .brokenKey:
            set.insert(["kty": "RSA", "kid": "broken", "e": "AQAB", "n": "!"], at: 0)
            set.insert(["kty": "unheard-of", "kid": 7], at: 0)
        case .manyKeys:
            set += (0..<int(.keys, default: 10_000)).map { number in
                key["kid"] = .string("key-\(number)")
                return .object(key)
            }
        }
    }
}
