import POSIX

package import struct FoundationEssentials.Date

/// What the program stores about a signed-in member.
package struct Session: Sendable, Equatable {
    package var identity: Identity
    /// When the member signed in.
    package var created: Date
    /// The absolute end of the session; neither use nor the end of the tokens changes it.
    package var expires: Date
    /// Nil after the provider refused them; the session continues without them.
    package var tokens: Tokens?
    /// The profile that the provider sent last, encoded by the site; nil if the provider sent none.
    package var profile: CachedProfile?

    package init(
        identity: Identity,
        created: Date,
        expires: Date,
        tokens: Tokens? = nil,
        profile: CachedProfile? = nil
    ) {
        self.identity = identity
        self.created = created
        self.expires = expires
        self.tokens = tokens
        self.profile = profile
    }
}

/// The identity of a member: provider and subject identify the member, the other values are those of the sign-in.
package struct Identity: Sendable, Equatable {
    package var provider: ProviderID
    package var issuer: String
    package var subject: String
    package var name: String?
    package var email: String?
    package var emailVerified: Bool
    /// The claims that the settings name; nil if they name none.
    package var claims: KeptClaims?

    package init(
        provider: ProviderID,
        issuer: String,
        subject: String,
        name: String? = nil,
        email: String? = nil,
        emailVerified: Bool = false,
        claims: KeptClaims? = nil
    ) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
        self.claims = claims
    }
}

/// The provider's tokens: stored only sealed, and never printed.
package struct Tokens: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The access token; on further lines, if known: its scopes, when it was issued, and when the refresh token expires.
    ///
    /// All are one text, because earlier versions of the program have a field for the access token only. They can open
    /// the record: they find a token that cannot be sent, and otherwise the same session. One text also costs a session
    /// check no further allocation. No token contains a line break (RFC 6749 appendix A).
    private(set) var lines: String
    /// When the access token expires; nil if the provider did not say.
    package var accessTokenExpires: Date?
    package var refreshToken: String?

    /// - Parameters:
    ///   - accessToken: The access token.
    ///   - accessTokenExpires: When it expires; nil if the provider did not say.
    ///   - refreshToken: The refresh token, if the provider issues them.
    ///   - refreshTokenExpires: When it expires, to the millisecond; nil if the provider did not say.
    ///   - scopes: The scopes that the member was asked for, and those that the provider granted.
    ///   - issued: When the provider issued the access token, to the millisecond.
    package init(
        accessToken: String,
        accessTokenExpires: Date? = nil,
        refreshToken: String? = nil,
        refreshTokenExpires: Date? = nil,
        scopes: [String] = [],
        issued: Date? = nil
    ) {
        let fields = [accessToken, scopes.joined(separator: " "), Self.text(issued), Self.text(refreshTokenExpires)]
        let count = fields.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        self.init(
            lines: fields.prefix(count).joined(separator: "\n"),
            accessTokenExpires: accessTokenExpires,
            refreshToken: refreshToken
        )
    }

    init(lines: String, accessTokenExpires: Date?, refreshToken: String?) {
        self.lines = lines
        self.accessTokenExpires = accessTokenExpires
        self.refreshToken = refreshToken
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    package var accessToken: String {
        get { String(line(0)) }
        set { lines = newValue + lines.dropFirst(line(0).count) }
    }

    /// The scopes that the member was asked for, and those that the provider granted; nil in the record of an earlier
    /// version of the program.
    ///
    /// Asking for one of them again would change nothing.
    package var scopes: [String]? {
        let line = line(1)
        return line.isEmpty ? nil : line.split(separator: " ").map(String.init)
    }

    /// When the provider issued the access token; nil in the record of an earlier version of the program.
    package var issued: Date? { Self.dates(in: lines.utf8.span).issued }

    /// When the refresh token expires; nil if the provider did not say.
    package var refreshTokenExpires: Date? { Self.dates(in: lines.utf8.span).refreshTokenExpires }

    typealias Dates = (issued: Date?, refreshTokenExpires: Date?)

    /// The dates in the third and fourth line of a text such as `lines`; none if it has more lines.
    ///
    /// Each check of a session that is not remembered needs them.
    static func dates(in lines: Span<UInt8>) -> Dates {
        guard let issued = range(ofLine: 2, in: lines) else { return (nil, nil) }
        guard issued.upperBound < lines.count else { return (date(lines.extracting(issued)), nil) }
        let fourth = lines.extracting((issued.upperBound + 1)...)
        guard fourth.firstIndex(of: lineBreak) == nil else { return (nil, nil) }
        return (date(lines.extracting(issued)), date(fourth))
    }

    /// Whether these scopes are among those of the token.
    ///
    /// Also true for the record of an earlier version of the program, which has none. Pages ask this at each request, so it
    /// makes no array.
    package func covers(_ wanted: [String]) -> Bool {
        let bytes = lines.utf8.span
        guard let known = Self.range(ofLine: 1, in: bytes), !known.isEmpty else { return true }
        for scope in wanted where !Self.contains(bytes.extracting(known), scope.utf8.span) { return false }
        return true
    }

    private static func contains(_ words: Span<UInt8>, _ wanted: Span<UInt8>) -> Bool {
        var start = 0
        while true {
            let rest = words.extracting(start...)
            let end = rest.firstIndex(of: UInt8(ascii: " "))
            if areEqual(rest.extracting(first: end ?? rest.count), wanted) { return true }
            guard let end else { return false }
            start += end + 1
        }
    }

    private static func areEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        for index in first.indices where first[index] != second[index] { return false }
        return true
    }

    /// A line without its end; empty if there are fewer lines.
    private func line(_ number: Int) -> Substring {
        guard let range = Self.range(ofLine: number, in: lines.utf8.span) else { return "" }
        let start = lines.utf8.index(lines.startIndex, offsetBy: range.lowerBound)
        return lines[start..<lines.utf8.index(start, offsetBy: range.count)]
    }

    /// The offsets of a line without its end; nil if there are fewer lines.
    private static func range(ofLine number: Int, in lines: Span<UInt8>) -> Range<Int>? {
        var start = 0
        for _ in 0..<number {
            guard let end = lines.extracting(start...).firstIndex(of: lineBreak) else { return nil }
            start += end + 1
        }
        let rest = lines.extracting(start...)
        return start..<start + (rest.firstIndex(of: lineBreak) ?? rest.count)
    }

    private static var lineBreak: UInt8 { UInt8(ascii: "\n") }

    /// The date of a line; nil unless the line is a number of milliseconds since 1970.
    private static func date(_ line: Span<UInt8>) -> Date? {
        var index = 0
        let isNegative = !line.isEmpty && line[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < line.count else { return nil }
        var milliseconds: Int64 = 0
        while index < line.count {
            let digit = line[index] &- UInt8(ascii: "0")
            let (tens, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.subtractingReportingOverflow(Int64(digit))
            guard digit < 10, !isTooLarge, !isOver else { return nil }
            milliseconds = sum
            index += 1
        }
        // The digits are subtracted, because the smallest number has no positive counterpart.
        guard isNegative || milliseconds != .min else { return nil }
        return Date(timeIntervalSince1970: Double(isNegative ? milliseconds : -milliseconds) / 1000)
    }

    /// The milliseconds since 1970; empty for no time, and for a time outside the range of the number.
    private static func text(_ date: Date?) -> String {
        date.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }.map(String.init) ?? ""
    }
}

/// A profile as the site encodes it, and when it was fetched.
package struct CachedProfile: Sendable, Equatable {
    package var content: [UInt8]
    package var fetched: Date

    package init(content: [UInt8], fetched: Date) {
        self.content = content
        self.fetched = fetched
    }
}
