package import struct FoundationEssentials.Date

/// A session as a store keeps it, on its way to another store; nothing in it opens the session.
package struct StoredRecord: Sendable, Equatable {
    /// 16 bytes of a hash of the session's ticket: the name of its file.
    package let id: [UInt8]
    /// The sealed record.
    package let bytes: [UInt8]
    /// When the session was last used.
    package let used: Date
    /// What is readable without the ticket.
    package let header: RecordHeader

    /// Nil if the bytes are not a record that this program knows.
    package init?(id: [UInt8], bytes: [UInt8], used: Date) {
        guard case .header(let header, _) = RecordHeader.read(bytes) else { return nil }
        self.id = id
        self.bytes = bytes
        self.used = used
        self.header = header
    }
}

/// A store whose sessions and personal tokens can move to another store.
package protocol MovableStore: Sendable {
    /// The sessions in one part of the store.
    ///
    /// - Parameter shard: the part, from 0 to 255.
    /// - Returns: the records, and how many others this program does not know.
    /// - Throws: `StoreError` if the part cannot be read.
    func records(shard: Int) async throws(StoreError) -> (records: [StoredRecord], unknown: Int)

    /// Adds records durably, all of one part; one that is already there is replaced only if an earlier copy brought it.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - shard: their part.
    ///   - isComplete: whether these are all that there are; records that earlier copies brought and that are not among these are
    ///     removed, because their sessions have ended since.
    /// - Throws: `StoreError` if not all of them are durable.
    func add(_ records: [StoredRecord], shard: Int, isComplete: Bool) async throws(StoreError)

    /// Removes records after they were added to another store.
    ///
    /// - Throws: `StoreError` if not all of them could be removed.
    func erase(_ records: [StoredRecord], shard: Int) async throws(StoreError)

    /// Has the personal tokens, which move too.
    var records: any Records { get }
}
