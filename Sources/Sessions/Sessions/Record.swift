import struct Crypto.SymmetricKey
package import struct FoundationEssentials.Date

/// The bytes of a session in a store: a readable header, and the sealed rest, which also authenticates the header.
///
/// ```
/// "LISS"  version (2)  length (4)  header  nonce (12)  sealed  tag (16)
/// ```
/// Everything before the nonce is the header of `SealedBytes`. Every write uses a new random nonce, and a key seals the
/// writes of one session only: far fewer than the 2^32 that random nonces allow (NIST SP 800-38D §8.3).
enum Record {
    static let maximumByteCount = 65_536

    /// - Throws: `StoreError` if the session is too large for a record.
    static func seal(_ session: Session, key: SymmetricKey, nonce: [UInt8]) throws(StoreError) -> [UInt8] {
        var record = RecordWriter()
        RecordHeader(session).write(to: &record)
        var secret = RecordWriter()
        secret.append(session.tokens) { $0.append($1) }
        secret.append(session.profile) { $0.append($1) }
        guard record.bytes.count + secret.bytes.count + SealedBytes.overhead <= maximumByteCount else {
            throw StoreError(.unusable, detail: "the session is larger than \(maximumByteCount) bytes")
        }
        guard let sealed = SealedBytes.seal(secret.bytes, behind: record.bytes, key: key, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the session could not be sealed")
        }
        return sealed
    }

    /// The session; nil if any byte was changed since it was sealed under this key.
    static func open(_ bytes: [UInt8], key: SymmetricKey) -> Session? {
        guard let closed = ClosedRecord(bytes), var reader = closed.unseal(key),
            let tokens = reader.optional({ Tokens(&$0) }),
            let profile = reader.optional({ CachedProfile(&$0) }),
            reader.isAtEnd
        else { return nil }
        let header = closed.header
        return Session(
            identity: header.identity,
            created: header.created,
            expires: header.expires,
            tokens: tokens,
            profile: profile
        )
    }
}

/// A record whose header was read, and whose seal is closed.
struct ClosedRecord {
    fileprivate let header: RecordHeader
    private let bytes: [UInt8]
    /// The number of bytes before the nonce.
    private let headerCount: Int

    /// Nil if the bytes do not begin with a header that this program knows.
    init?(_ bytes: [UInt8]) {
        guard case .header(let header, let end) = RecordHeader.read(bytes) else { return nil }
        (self.header, self.bytes, headerCount) = (header, bytes, end)
    }

    /// What a check needs of the session, and on request the times of its tokens; nil if any byte was changed since it was
    /// sealed under this key.
    func check(_ key: SymmetricKey, withTokens: Bool) -> CheckedSession? {
        guard withTokens else {
            return SealedBytes.isAuthentic(bytes, behind: headerCount, key: key)
                ? CheckedSession(header, tokens: .unknown) : nil
        }
        guard var reader = unseal(key),
            let tokens = reader.optional({ TokenTimes(&$0) }),
            reader.optional({ CachedProfile.skip(&$0) }) != nil,
            reader.isAtEnd
        else { return nil }
        return CheckedSession(header, tokens: CheckedTokens(tokens))
    }

    /// A reader of what was sealed.
    fileprivate func unseal(_ key: SymmetricKey) -> RecordReader? {
        SealedBytes.open(bytes, behind: headerCount, key: key).map(RecordReader.init)
    }
}

/// The part of a record that is readable without the ticket: for the sweeper and for administration.
///
/// Only `Record.open` and `ClosedRecord.check` verify that nobody changed it.
package struct RecordHeader: Sendable, Equatable {
    package var identity: Identity
    package var created: Date
    package var expires: Date
}

extension RecordHeader {
    init(_ session: Session) {
        self.init(identity: session.identity, created: session.created, expires: session.expires)
    }

    /// The meaning of the first bytes of a file.
    enum Reading: Sendable, Equatable {
        /// The header, and the position after it.
        case header(RecordHeader, end: Int)
        /// A record of a version that this program does not know; a newer program may read it.
        case newer
        case damaged
    }

    private static let magic = [UInt8]("LISS".utf8)
    /// The latest version: version 1 has no provider, because its provider is LinkedIn, and versions 1 and 2 have no claims.
    ///
    /// Each record has the earliest version that can contain it, so that an earlier program reads as many as possible.
    private static let version: UInt16 = 3

    /// The first bytes of a record of the latest version; those of a record of an earlier version sort before them.
    package static var latestHead: [UInt8] { magic + [UInt8(version >> 8), UInt8(truncatingIfNeeded: version)] }

    static func read(_ bytes: [UInt8]) -> Reading {
        var reader = RecordReader(bytes)
        guard reader.skip(magic),
            let version = reader.integer(UInt16.self),
            version != 0
        else { return .damaged }
        guard version <= Self.version else { return .newer }
        guard var fields = reader.parts() else { return .damaged }
        guard let header = RecordHeader(&fields, version), fields.isAtEnd else { return .damaged }
        return .header(header, end: reader.position)
    }

    private init?(_ reader: inout RecordReader, _ version: UInt16) {
        guard let provider = version > 1 ? reader.string().flatMap(ProviderID.init) : .linkedIn,
            let created = reader.date(),
            let expires = reader.date(),
            let identity = reader.identity(at: provider, hasClaims: version > 2)
        else { return nil }
        self.init(identity: identity, created: created, expires: expires)
    }

    fileprivate func write(to writer: inout RecordWriter) {
        let hasProvider = identity.provider != .linkedIn || identity.claims != nil
        var fields = RecordWriter()
        if hasProvider { fields.append(identity.provider.description) }
        fields.append(created)
        fields.append(expires)
        fields.append(identity)
        writer.append(raw: Self.magic)
        writer.append(identity.claims != nil ? Self.version : hasProvider ? 2 : 1)
        writer.append(sized: fields.bytes)
    }
}

// MARK: - Coding

extension RecordWriter {
    /// Appends an identity without its provider, for which each kind of record has its own place.
    mutating func append(_ identity: Identity) {
        append(identity.issuer)
        append(identity.subject)
        append(identity.name) { $0.append($1) }
        append(identity.email) { $0.append($1) }
        append(identity.emailVerified)
        if let claims = identity.claims { append(sized: claims.bytes) }
    }

    fileprivate mutating func append(_ tokens: Tokens) {
        append(tokens.lines)
        append(tokens.accessTokenExpires) { $0.append($1) }
        append(tokens.refreshToken) { $0.append($1) }
    }

    fileprivate mutating func append(_ profile: CachedProfile) {
        append(sized: profile.content)
        append(profile.fetched)
    }
}

extension RecordReader {
    /// Reads what `RecordWriter` appends for an identity.
    mutating func identity(at provider: ProviderID, hasClaims: Bool) -> Identity? {
        guard let issuer = string(),
            let subject = string(),
            let name = optional({ $0.string() }),
            let email = optional({ $0.string() }),
            let emailVerified = bool(),
            let claims = hasClaims ? claims().map(Optional.some) : .some(nil)
        else { return nil }
        return Identity(
            provider: provider,
            issuer: issuer,
            subject: subject,
            name: name,
            email: email,
            emailVerified: emailVerified,
            claims: claims
        )
    }
}

extension Tokens {
    fileprivate init?(_ reader: inout RecordReader) {
        guard let lines = reader.string(),
            let expires = reader.optional({ $0.date() }),
            let refresh = reader.optional({ $0.string() })
        else { return nil }
        self.init(lines: lines, accessTokenExpires: expires, refreshToken: refresh)
    }
}

extension CheckedSession {
    fileprivate init(_ header: RecordHeader, tokens: CheckedTokens) {
        self.init(identity: header.identity, created: header.created, expires: header.expires, tokens: tokens)
    }
}

extension TokenTimes {
    /// Reads what is written for `Tokens`.
    fileprivate init?(_ reader: inout RecordReader) {
        guard let dates = reader.text({ Tokens.dates(in: $0.span) }),
            let expires = reader.optional({ $0.date() }),
            let refresh = reader.optional({ $0.text { _ in true } })
        else { return nil }
        self.init(expires, dates, hasRefreshToken: refresh != nil)
    }
}

extension CachedProfile {
    fileprivate init?(_ reader: inout RecordReader) {
        guard let content = reader.bytes(), let fetched = reader.date() else { return nil }
        self.init(content: content, fetched: fetched)
    }

    /// Nil if what comes next is no profile.
    fileprivate static func skip(_ reader: inout RecordReader) -> Void? {
        reader.skipBytes() && reader.date() != nil ? () : nil
    }
}
