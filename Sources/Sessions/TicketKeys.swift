import struct Crypto.SymmetricKey

/// What a ticket gives: the name of its record, and the key that opens it.
///
/// Neither leads back to the ticket, nor the name to the key: a stolen disk opens no session.
struct TicketKeys: Sendable {
    let name: RecordName
    private let secret: [UInt8]

    private static let nameInfo = [UInt8]("linkedin-signin session v1 name".utf8)
    private static let keyInfo = [UInt8]("linkedin-signin session v1 key".utf8)

    init(_ ticket: Ticket) {
        name = RecordName(hash: KeyDerivation.expand(ticket.bytes, info: Self.nameInfo))
        secret = ticket.bytes
    }

    /// Derived when there is something to open: most unknown tickets never get here.
    var key: SymmetricKey {
        SymmetricKey(data: KeyDerivation.expand(secret, info: Self.keyInfo))
    }
}
