import struct Crypto.SymmetricKey
import struct FoundationEssentials.Date

/// A kept request as it lies in a file: when it expires, and the sealed rest.
///
/// ```
/// "LISK"  version (2)  expires (8)  nonce (12)  sealed  tag (16)
/// ```
/// The first three are the header of `SealedBytes`. A key seals one record, once.
enum KeptRecord {
    /// Bytes that a record is longer than the body in it, at most: a path, a type and a page's address fit.
    static let overhead = 64 << 10
    private static let magic = [UInt8]("LISK".utf8)
    private static let version: UInt16 = 1

    /// - Throws: `StoreError` if what goes with the body is too large for a record.
    static func seal(
        _ request: KeptRequest,
        expires: Date,
        key: SymmetricKey,
        nonce: [UInt8]
    ) throws(StoreError) -> [UInt8] {
        var record = RecordWriter()
        record.append(raw: magic)
        record.append(version)
        record.append(expires)
        var secret = RecordWriter()
        secret.append(request.uri)
        secret.append(request.contentType)
        secret.append(request.referer) { $0.append($1) }
        secret.append(sized: request.body)
        guard secret.bytes.count < request.body.count + overhead - 64 else {
            throw StoreError(.unusable, detail: "what goes with the form is larger than a record takes")
        }
        guard let sealed = SealedBytes.seal(secret.bytes, behind: record.bytes, key: key, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the form could not be sealed")
        }
        return sealed
    }

    /// Whether a record, as far as it can be told without opening it, is too old to be opened.
    static func hasExpired(_ bytes: [UInt8], now: Date) -> Bool {
        var header = RecordReader(bytes)
        let isKnown = header.skip(magic) && header.integer(UInt16.self) == version
        guard isKnown, let expires = header.date() else { return false }
        return expires <= now
    }

    /// Nil unless every byte is as it was written under this key, and the time is not over.
    static func open(_ bytes: [UInt8], key: SymmetricKey, now: Date) -> KeptRequest? {
        var header = RecordReader(bytes)
        guard header.skip(magic),
            header.integer(UInt16.self) == version,
            let expires = header.date(), now < expires,
            let secret = SealedBytes.open(bytes, behind: header.position, key: key)
        else { return nil }
        var reader = RecordReader(secret)
        guard let uri = reader.string(),
            let contentType = reader.string(),
            let referer = reader.optional({ $0.string() }),
            let body = reader.bytes(),
            reader.isAtEnd
        else { return nil }
        return KeptRequest(uri: uri, contentType: contentType, referer: referer, body: body)
    }
}
