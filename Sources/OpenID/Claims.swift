package import struct FoundationEssentials.Date

/// The claims of a verified ID token (OpenID Connect Core §2).
///
/// Issuer and subject together identify a member; an e-mail address never does (§5.7).
package struct IDToken: Sendable, Equatable {
    package let issuer: String
    package let member: MemberClaims
    package let issued: Date
    package let expires: Date
}

/// The claims of an ID token or a userinfo answer about a member (OpenID Connect Core §5.1).
///
/// Texts have a limited length and no control characters; apart from that they are as the provider sent them.
package struct MemberClaims: Sendable, Equatable {
    /// 1 to 255 ASCII characters, case-sensitive.
    package let subject: String
    package var name: String?
    /// The URL of a picture; the text is not validated.
    package var picture: String?
    package var email: String?
    package var emailVerified = false
    /// A language tag like `en-US`.
    package var locale: String?
    /// The URL of the member's profile page; the text is not validated.
    package var profile: String?
    /// All members of the token or answer.
    var members: [String: JSON] = [:]
}

extension MemberClaims {
    /// These claims, and those of userinfo that they lack; an address and its flag come from one document.
    package func completed(by userinfo: MemberClaims) -> MemberClaims {
        let address = email == nil ? userinfo : self
        var claims = self
        claims.name = name ?? userinfo.name
        claims.picture = picture ?? userinfo.picture
        (claims.email, claims.emailVerified) = (address.email, address.emailVerified)
        claims.locale = locale ?? userinfo.locale
        claims.profile = profile ?? userinfo.profile
        claims.members = userinfo.membersAboutMember.merging(members) { $1 }
        // The ID token decides about each claim that it has, or of which it says that it is in another place.
        let others = userinfo.distributed.filter { value(of: $0.key) == .absent }.merging(distributed) { $1 }
        claims.members["_claim_names"] = others.isEmpty ? nil : .object(others)
        return claims
    }

    /// The claims that the provider has in another place, by name (OpenID Connect Core §5.6.2).
    private var distributed: [String: JSON] { members["_claim_names"]?.objectValue ?? [:] }

    /// The members without those that only an ID token can have.
    var membersAboutMember: [String: JSON] { members.filter { !Self.isAboutSignIn($0.key) } }

    /// The value of a claim by its name; a dot can lead into a nested object.
    package func value(of name: String) -> ClaimValue { members.value(of: name[...]) }

    /// Whether a claim is about the sign-in and not about the member, so that only the ID token can have it.
    package static func isAboutSignIn(_ name: String) -> Bool { ["acr", "amr", "sid"].contains(name) }

    init(_ claims: Claims, subject: String, _ dialect: Dialect) {
        self.init(
            subject: subject,
            name: claims.text("name", limit: 512),
            picture: claims.text("picture", limit: 2048),
            email: claims.email,
            emailVerified: dialect.verifiedEmailClaims.contains(where: claims.flag),
            locale: claims.locale,
            profile: claims.text("profile", limit: 2048)
        )
        members = claims.members
    }
}

/// The members of a token or of a userinfo answer, read by type; a member of the wrong type counts as missing.
struct Claims: Sendable {
    let members: [String: JSON]

    subscript(name: String) -> JSON? {
        members[name]
    }

    var subject: String? { members["sub"]?.subjectText }

    /// A text without control characters; nil if it is empty or longer than `limit` bytes.
    func text(_ name: String, limit: Int) -> String? {
        members[name]?.text(limit: limit)
    }

    var email: String? { members["email"]?.emailAddress }

    func flag(_ name: String) -> Bool { members[name]?.isTrue ?? false }

    /// Seconds since 1970, including fractions; nil unless it is a number from 0 to the end of the year 9999.
    func time(_ name: String) -> Double? {
        guard let seconds = members[name]?.numberValue, (0...253_402_300_799).contains(seconds) else { return nil }
        return seconds
    }

    /// A language tag like `en-US`, whether sent as `en-US`, as `en_US`, or as an object with language and country.
    var locale: String? {
        let tag: String
        switch members["locale"] {
        case .string(let text)?:
            tag = text
        case .object(let parts)?:
            guard let language = parts["language"]?.stringValue else { return nil }
            tag = ([language] + [parts["country"]?.stringValue].compactMap { $0 }).joined(separator: "-")
        case .null?, .bool?, .number?, .array?, nil:
            return nil
        }
        let characters = tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        let normal = String(decoding: characters, as: UTF8.self)
        let isTag = normal.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isWholeNumber) }
        return isTag && (2...35).contains(normal.utf8.count) ? normal : nil
    }
}

extension JSON {
    /// A subject identifier: 1 to 255 printable ASCII characters (OpenID Connect Core §2).
    var subjectText: String? {
        guard let text = stringValue, (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return nil }
        return text
    }

    /// A positive whole number; nil from 2^53, because several numbers in the text of a document would be equal there.
    package var positiveInteger: Int? {
        numberValue.flatMap { (1..<9_007_199_254_740_992).contains($0) ? Int(exactly: $0) : nil }
    }

    /// True only for `true`, and for `"true"`, which some providers send.
    var isTrue: Bool { self == .bool(true) || self == .string("true") }

    /// A text without control characters; nil if it is empty or longer than `limit` bytes.
    package func text(limit: Int) -> String? {
        guard let text = stringValue, (1...limit).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    /// An e-mail address; nil unless it has exactly one `@`, so that every reader finds the same domain.
    package var emailAddress: String? {
        let text = text(limit: 320)
        return text?.utf8.count { $0 == UInt8(ascii: "@") } == 1 ? text : nil
    }
}
