import Crypto

/// What a ticket gives: the name of its record, and the key that opens it.
///
/// They are the two blocks of the one-step key derivation of NIST SP 800-56C Rev. 2 §4.1 with SHA-256, each a hash of a
/// counter, the secret, and what the output is for. A ticket is uniformly random and of one length, so that nothing has
/// to be extracted and the inputs of no two tickets meet. Neither block leads back to the ticket nor to the other: a
/// stolen disk opens no session. HMAC would take four times as many blocks of hashing, on the way of every request.
struct TicketKeys: Sendable {
    let name: RecordName
    let key: SymmetricKey

    /// Short enough for counter, ticket and this to be hashed as one block.
    private static let info = [UInt8]("linkedin-signin v1".utf8)

    init(_ ticket: Ticket) {
        var input: [UInt8] = [0, 0, 0, 1]
        input.reserveCapacity(4 + Ticket.byteCount + Self.info.count)
        input += ticket.bytes
        input += Self.info
        name = RecordName(hash: SHA256.hash(data: input))
        input[3] = 2
        key = SymmetricKey(data: SHA256.hash(data: input))
    }
}
