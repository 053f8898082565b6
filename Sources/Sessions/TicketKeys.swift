import struct Crypto.SymmetricKey

/// What a ticket gives: the name of its record, and the key that opens it.
///
/// Neither leads back to the ticket, nor the name to the key: a stolen disk opens no session and no form.
struct TicketKeys: Sendable {
    /// What a ticket is for; one kind gives nothing of the other.
    enum Purpose: String {
        case session
        case kept
    }

    let name: RecordName
    private let secret: [UInt8]
    private let keyInfo: [UInt8]

    private static let sessionNameInfo = info(.session, "name")
    private static let sessionKeyInfo = info(.session, "key")

    init(_ ticket: Ticket) {
        name = RecordName(hash: KeyDerivation.expand(ticket.bytes, info: Self.sessionNameInfo))
        secret = ticket.bytes
        keyInfo = Self.sessionKeyInfo
    }

    init(kept ticket: Ticket) {
        name = RecordName(hash: KeyDerivation.expand(ticket.bytes, info: Self.info(.kept, "name")))
        secret = ticket.bytes
        keyInfo = Self.info(.kept, "key")
    }

    /// Derived when there is something to open: most unknown tickets never get here.
    var key: SymmetricKey {
        SymmetricKey(data: KeyDerivation.expand(secret, info: keyInfo))
    }

    static func info(_ purpose: Purpose, _ use: String) -> [UInt8] {
        [UInt8]("linkedin-signin \(purpose.rawValue) v1 \(use)".utf8)
    }
}

extension Ticket {
    /// A text that proves to have seen this ticket of a kept request, and tells nothing of it.
    package var formToken: String {
        Base64URL.encode(KeyDerivation.expand(bytes, info: TicketKeys.info(.kept, "form")))
    }

    /// A short text to tell tickets of kept requests apart by; no secret, and part of nothing that is.
    package var formLabel: String {
        String(Base64URL.encode(KeyDerivation.expand(bytes, info: TicketKeys.info(.kept, "label"))).prefix(8))
    }
}
