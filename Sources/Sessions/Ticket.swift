import Encoding

/// What a session cookie holds: 32 random bytes, of which the session's file name and key are derived.
///
/// It prints as nothing: whoever has it is signed in.
package struct Ticket: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A ticket nobody had before.
    init(random: RandomBytes) throws(StoreError) {
        bytes = try random(Self.byteCount)
    }

    /// Reads a cookie value: exactly the base64url of 32 bytes, or nil.
    package init?(cookieValue: String) {
        guard let bytes = Base64URL.decode(cookieValue) else { return nil }
        self.init(bytes: bytes)
    }

    /// 43 characters of base64url.
    package var cookieValue: String { Base64URL.encode(bytes) }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
