import struct Crypto.SymmetricKey

/// What a ticket gives: the name of its record, and the key that opens it.
///
/// Neither leads back to the ticket, nor the name to the key: a stolen disk opens no session.
struct TicketKeys: Sendable {
    let name: RecordName
    let key: SymmetricKey

    private static let nameInfo = [UInt8]("linkedin-signin session v1 name".utf8)
    private static let keyInfo = [UInt8]("linkedin-signin session v1 key".utf8)
    private static let salt = [UInt8]("linkedin-signin session v1".utf8)

    init(_ ticket: Ticket) {
        let secret = KeyDerivation.extract(salt: Self.salt, from: ticket.bytes)
        name = RecordName(hash: KeyDerivation.expand(secret, info: Self.nameInfo))
        key = SymmetricKey(data: KeyDerivation.expand(secret, info: Self.keyInfo))
    }
}
