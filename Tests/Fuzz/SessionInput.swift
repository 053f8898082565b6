import struct Crypto.SymmetricKey

@testable import Sessions

/// The file of a session; then the same with its content sealed here, so that the inner reader is reached too.
enum SessionInput {
    private static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private static let nonce = [UInt8](repeating: 2, count: SealedBytes.nonceCount)

    static func take(_ input: [UInt8]) {
        // Without the key nobody can make a record that opens.
        precondition(Record.open(input, key: key) == nil, "a record opened that nobody sealed")
        guard case .header(_, let end) = RecordHeader.read(input) else { return }
        precondition(end <= input.count, "the header ends after the record")
        guard let sealed = SealedBytes.seal(Array(input[end...]), behind: Array(input[..<end]), key: key, nonce: nonce)
        else { preconditionFailure("the key cannot seal") }
        precondition(
            ClosedRecord(sealed)?.check(key, withTokens: true)
                == Record.open(sealed, key: key).map(CheckedSession.init),
            "a check sees another session"
        )
        guard let session = Record.open(sealed, key: key), sealed.count <= Record.maximumByteCount else { return }
        let again = try? Record.seal(session, key: key, nonce: nonce)
        precondition(again == sealed, "a session has two encodings")
    }
}
