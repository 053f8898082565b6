import Crypto
import Encoding

/// The value of a session cookie: 32 random bytes, from which the name and the key of the session's file are derived.
///
/// It never prints its bytes: anyone who has them is signed in.
package struct Ticket: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Makes a new ticket.
    package init(random: RandomBytes) throws(StoreError) {
        bytes = try random(Self.byteCount)
    }

    /// Reads a cookie value; nil unless it is exactly the base64url of 32 bytes.
    package init?(cookieValue: String) {
        guard let bytes = Base64URL.decode(cookieValue) else { return nil }
        self.init(bytes: bytes)
    }

    /// 43 characters of base64url.
    package var cookieValue: String { Base64URL.encode(bytes) }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The name of a session's record and the key that opens it, both derived from the session's ticket.
///
/// They are the two blocks of the one-step key derivation of NIST SP 800-56C Rev. 2 §4.1 with SHA-256: each is a hash of
/// a counter, the secret and a text for the purpose. A ticket is uniformly random and has a fixed length, so nothing has
/// to be extracted, and two tickets never give the same input. Neither block reveals the ticket or the other block: a
/// stolen disk opens no session. HMAC would hash four times as many blocks, in every request.
struct TicketKeys: Sendable {
    let name: RecordName
    let key: SymmetricKey

    /// Short enough for SHA-256 to hash counter, ticket and this text as one block.
    private static let info = [UInt8]("linkedin-signin v1".utf8)

    init(_ ticket: Ticket) {
        var input = Self.input(ticket)
        name = RecordName(hash: SHA256.hash(data: input))
        input[3] = 2
        key = SymmetricKey(data: SHA256.hash(data: input))
    }

    /// The name alone, for a caller that may not need the key.
    static func name(of ticket: Ticket) -> RecordName {
        RecordName(hash: SHA256.hash(data: input(ticket)))
    }

    /// The key alone, for a caller that has the name.
    static func key(of ticket: Ticket) -> SymmetricKey {
        var input = input(ticket)
        input[3] = 2
        return SymmetricKey(data: SHA256.hash(data: input))
    }

    /// Counter, secret and purpose, with the counter of the name.
    private static func input(_ ticket: Ticket) -> [UInt8] {
        var input: [UInt8] = [0, 0, 0, 1]
        input.reserveCapacity(4 + Ticket.byteCount + info.count)
        input += ticket.bytes
        input += info
        return input
    }
}

/// The name of a kept form's file and the key that opens it, both derived from the form's ticket.
///
/// Neither reveals the ticket, nor the keys of a session with the same ticket: a stolen disk opens no form.
struct KeptFormKeys: Sendable {
    let name: RecordName
    let key: SymmetricKey

    init(_ ticket: Ticket) {
        name = RecordName(hash: Self.derive(ticket, "name"))
        key = SymmetricKey(data: Self.derive(ticket, "key"))
    }

    fileprivate static func derive(_ ticket: Ticket, _ use: String) -> [UInt8] {
        KeyDerivation.expand(ticket.bytes, info: [UInt8]("linkedin-signin kept v1 \(use)".utf8))
    }
}

extension Ticket {
    /// A text that proves knowledge of this ticket of a kept form and does not reveal the ticket.
    package var formToken: String { Base64URL.encode(KeptFormKeys.derive(self, "form")) }

    /// Eight characters that distinguish the tickets of kept forms; not a secret, and not part of any secret.
    package var formLabel: String { String(Base64URL.encode(KeptFormKeys.derive(self, "label")).prefix(8)) }
}
