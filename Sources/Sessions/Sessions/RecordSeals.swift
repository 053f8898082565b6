import struct Crypto.SymmetricKey

/// Seals and opens the record of one session, for stores that do not keep it in a file.
///
/// The bytes and the id are those of the file store, so that a session can move from one store to the other.
package struct SessionSeal: Sendable {
    private let ticket: Ticket
    /// The file store's name of the record.
    let name: RecordName

    package init(_ ticket: Ticket) {
        self.ticket = ticket
        name = TicketKeys.name(of: ticket)
    }

    /// The name as 16 bytes of a hash, which do not lead back to the ticket.
    package var id: [UInt8] { name.bytes }

    /// Derived where it is used, because a session that is in memory needs none.
    private var key: SymmetricKey { TicketKeys.key(of: ticket) }

    /// - Throws: `StoreError` if the session is too large for a record, or if there are no random bytes.
    package func seal(_ session: Session, random: RandomBytes) throws(StoreError) -> [UInt8] {
        try Record.seal(session, key: key, nonce: random(SealedBytes.nonceCount))
    }

    /// Nil if any byte was changed since it was sealed for this ticket.
    package func open(_ record: [UInt8]) -> Session? {
        Record.open(record, key: key)
    }

    /// What a check needs of the session, with the times of its tokens; nil for the records for which `open` returns nil.
    package func check(_ record: [UInt8]) -> CheckedSession? {
        ClosedRecord(record)?.check(key, withTokens: true)
    }
}
