import struct Crypto.SymmetricKey

/// A session as it lies in a file: the readable header, and the sealed rest that vouches for it.
///
/// ```
/// "LISS"  version (2)  length (4)  header  nonce (12)  sealed  tag (16)
/// ```
/// Everything before the nonce is the header of `SealedBytes`. Every writing takes a new random nonce, and a key seals
/// the writings of one session alone: far fewer than the 2^32 that random nonces are good for (NIST SP 800-38D §8.3).
enum Record {
    static let maximumByteCount = 65_536

    /// - Throws: `StoreError` if the session is too large for a record.
    static func seal(_ session: Session, key: SymmetricKey, nonce: [UInt8]) throws(StoreError) -> [UInt8] {
        var record = RecordWriter()
        RecordHeader(identity: session.identity, created: session.created, expires: session.expires)
            .write(to: &record)
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

    /// Nil unless every byte is as it was written under this key.
    static func open(_ bytes: [UInt8], key: SymmetricKey) -> Session? {
        guard case .header(let header, let end) = RecordHeader.read(bytes),
            let secret = SealedBytes.open(bytes, behind: end, key: key)
        else { return nil }
        var reader = RecordReader(secret)
        guard let tokens = reader.optional({ Tokens(&$0) }),
            let profile = reader.optional({ CachedProfile(&$0) }),
            reader.isAtEnd
        else { return nil }
        return Session(
            identity: header.identity,
            created: header.created,
            expires: header.expires,
            tokens: tokens,
            profile: profile
        )
    }
}

extension RecordWriter {
    fileprivate mutating func append(_ tokens: Tokens) {
        append(tokens.accessToken)
        append(tokens.accessTokenExpires) { $0.append($1) }
        append(tokens.refreshToken) { $0.append($1) }
    }

    fileprivate mutating func append(_ profile: CachedProfile) {
        append(sized: profile.content)
        append(profile.fetched)
    }
}

extension Tokens {
    fileprivate init?(_ reader: inout RecordReader) {
        guard let access = reader.string(),
            let expires = reader.optional({ $0.date() }),
            let refresh = reader.optional({ $0.string() })
        else { return nil }
        self.init(accessToken: access, accessTokenExpires: expires, refreshToken: refresh)
    }
}

extension CachedProfile {
    fileprivate init?(_ reader: inout RecordReader) {
        guard let content = reader.bytes(), let fetched = reader.date() else { return nil }
        self.init(content: content, fetched: fetched)
    }
}
