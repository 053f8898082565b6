import struct Crypto.SymmetricKey
import struct FoundationEssentials.Date

/// A form that a visitor sent before signing in, kept until the visitor has signed in and sends it again.
package struct KeptForm: Sendable, Equatable {
    /// Path and query, as the client spelled them.
    package var uri: String
    package var contentType: String
    /// The page that contained the form, if that page belongs to this site.
    package var referer: String?
    package var body: [UInt8]

    package init(uri: String, contentType: String, referer: String? = nil, body: [UInt8]) {
        self.uri = uri
        self.contentType = contentType
        self.referer = referer
        self.body = body
    }
}

/// The bytes of a kept form in a store: when it expires, and the sealed rest.
///
/// ```
/// "LISK"  version (2)  expires (8)  nonce (12)  sealed  tag (16)
/// ```
/// The first three fields are the header of `SealedBytes`. A key seals one record, once.
enum KeptFormRecord {
    /// The maximum number of bytes by which a record is longer than the body in it: room for address, type and referer.
    static let overhead = 64 << 10
    private static let magic = [UInt8]("LISK".utf8)
    private static let version: UInt16 = 1

    /// - Throws: `StoreError` if address, type and referer together are too long.
    static func seal(
        _ form: KeptForm,
        expires: Date,
        key: SymmetricKey,
        nonce: [UInt8]
    ) throws(StoreError) -> [UInt8] {
        var record = RecordWriter()
        record.append(raw: magic)
        record.append(version)
        record.append(expires)
        var secret = RecordWriter()
        secret.append(form.uri)
        secret.append(form.contentType)
        secret.append(form.referer) { $0.append($1) }
        secret.append(sized: form.body)
        guard secret.bytes.count < form.body.count + overhead - 64 else {
            throw StoreError(.unusable, detail: "the address, type and referer of the form are too long to be kept")
        }
        guard let sealed = SealedBytes.seal(secret.bytes, behind: record.bytes, key: key, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the form could not be sealed")
        }
        return sealed
    }

    /// When a record ends, as its readable header says; nil if the bytes are no such record.
    static func expiry(_ bytes: [UInt8]) -> Date? {
        var header = RecordReader(bytes)
        return openHeader(&header)
    }

    private static func openHeader(_ reader: inout RecordReader) -> Date? {
        guard reader.skip(magic), reader.integer(UInt16.self) == version else { return nil }
        return reader.date()
    }

    /// The form; nil if any byte was changed since it was sealed under this key, or if it has expired.
    static func open(_ bytes: [UInt8], key: SymmetricKey, now: Date) -> KeptForm? {
        var header = RecordReader(bytes)
        guard let expires = openHeader(&header), now < expires,
            let secret = SealedBytes.open(bytes, behind: header.position, key: key)
        else { return nil }
        var reader = RecordReader(secret)
        guard let uri = reader.string(),
            let contentType = reader.string(),
            let referer = reader.optional({ $0.string() }),
            let body = reader.bytes(),
            reader.isAtEnd
        else { return nil }
        return KeptForm(uri: uri, contentType: contentType, referer: referer, body: body)
    }
}
