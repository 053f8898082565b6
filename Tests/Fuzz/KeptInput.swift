import struct Crypto.SymmetricKey
import struct Foundation.Date

@testable import Sessions

/// The file of a kept form; then its sealed content, so that the inner reader is reached too; then the fields of a form,
/// one per line, which must be read as they were written.
enum KeptInput {
    private static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private static let otherKey = SymmetricKey(data: [UInt8](repeating: 3, count: 32))
    private static let nonce = [UInt8](repeating: 2, count: SealedBytes.nonceCount)
    private static let now = Date(timeIntervalSinceReferenceDate: 0)
    private static let expires = Date(timeIntervalSinceReferenceDate: 600)
    /// The bytes before the nonce: magic, version and expiry.
    private static let header = [UInt8]("LISK\0\u{1}".utf8) + bigEndian(expires)

    static func take(_ input: [UInt8]) {
        // Without the key nobody can make a file that opens.
        precondition(KeptFormRecord.open(input, key: key, now: .distantPast) == nil, "a form opened that nobody sealed")
        // An input with a header is read with that header; any other input is the sealed content.
        let own = input.starts(with: "LISK".utf8) && input.count >= header.count ? header.count : 0
        check(header: own > 0 ? Array(input[..<own]) : header, secret: Array(input[own...]))
        checkRoundTrip(input)
    }

    private static func check(header: [UInt8], secret: [UInt8]) {
        guard let sealed = SealedBytes.seal(secret, behind: header, key: key, nonce: nonce) else {
            preconditionFailure("the key cannot seal")
        }
        precondition(KeptFormRecord.open(sealed, key: otherKey, now: now) == nil, "another key opens the form")
        guard let form = KeptFormRecord.open(sealed, key: key, now: now) else { return }
        let bits = header.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let expires = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
        precondition(expires > now, "a form opened that has expired")
        precondition(KeptFormRecord.open(sealed, key: key, now: expires) == nil, "an expired form opens")
        let again = try? KeptFormRecord.seal(form, expires: expires, key: key, nonce: nonce)
        precondition(again == sealed, "a form has two encodings")
        var damaged = sealed
        damaged[secret.reduce(0) { $0 &+ Int($1) } % sealed.count] ^= 1
        precondition(KeptFormRecord.open(damaged, key: key, now: now) == nil, "a damaged form opened")
    }

    private static func checkRoundTrip(_ input: [UInt8]) {
        let parts = input.split(separator: 0x0a, maxSplits: 3, omittingEmptySubsequences: false)
        let texts = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
        let form = KeptForm(
            uri: texts.first ?? "/",
            contentType: texts.count > 1 ? texts[1] : "",
            referer: texts.count > 2 ? texts[2] : nil,
            body: Array(parts.last ?? [])
        )
        guard let sealed = try? KeptFormRecord.seal(form, expires: expires, key: key, nonce: nonce) else {
            return precondition(input.count > KeptFormRecord.overhead / 4, "a small form is too large")
        }
        precondition(sealed.count <= form.body.count + KeptFormRecord.overhead, "a form is larger than its file may be")
        guard let opened = KeptFormRecord.open(sealed, key: key, now: now) else {
            preconditionFailure("a form does not open again")
        }
        precondition(bytes(opened) == bytes(form), "a form was changed")
    }

    /// Equal strings may differ in bytes.
    private static func bytes(_ form: KeptForm) -> [[UInt8]?] {
        [Array(form.uri.utf8), Array(form.contentType.utf8), form.referer.map { Array($0.utf8) }, form.body]
    }

    private static func bigEndian(_ date: Date) -> [UInt8] {
        let bits = date.timeIntervalSinceReferenceDate.bitPattern
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
}
