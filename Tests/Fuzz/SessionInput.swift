import Crypto

@testable import Sessions

/// A record as it lies on the disk; then the same with its rest sealed here, so that what is inside is read too.
enum SessionInput {
    private static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private static let nonce = [UInt8](repeating: 2, count: Record.nonceCount)

    static func take(_ input: [UInt8]) {
        // Nobody who has not the key can make a record that opens.
        precondition(Record.open(input, key: key) == nil, "a record opened that nobody sealed")
        guard case .header(_, let end) = RecordHeader.read(input) else { return }
        precondition(end <= input.count, "the header ends behind the record")
        let sealed = seal(secret: input[end...], header: input[..<end])
        guard let session = Record.open(sealed, key: key), sealed.count <= Record.maximumByteCount else { return }
        let again = try? Record.seal(session, key: key, nonce: nonce)
        precondition(again == sealed, "a session has two spellings")
    }

    private static func seal(secret: ArraySlice<UInt8>, header: ArraySlice<UInt8>) -> [UInt8] {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(Array(secret), using: key, nonce: nonce, authenticating: Array(header)),
            let combined = box.combined
        else { fatalError("the key does not seal") }
        return Array(header) + Array(combined)
    }
}
