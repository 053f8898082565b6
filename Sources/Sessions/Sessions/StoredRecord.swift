package import struct FoundationEssentials.Date

/// A session as a store keeps it; nothing in it opens the session.
package struct StoredRecord: Sendable, Equatable {
    package let id: SessionID
    /// The sealed record, or only its header.
    package let bytes: [UInt8]
    /// When the session was last used.
    package let used: Date
    /// What is readable without the ticket.
    package let header: RecordHeader
}

/// The records in one part of a store.
package struct StoredRecords: Sendable {
    package private(set) var records: [StoredRecord] = []
    /// Records that this program cannot read: damaged ones, those of a newer version, and those of another user.
    package private(set) var unreadable: [SessionID] = []

    package init() {}

    /// Adds a record; `bytes` are at least its header.
    package mutating func add(_ id: SessionID, _ bytes: [UInt8], used: Date) {
        guard case .header(let header, _) = RecordHeader.read(bytes) else { return unreadable.append(id) }
        records.append(StoredRecord(id: id, bytes: bytes, used: used, header: header))
    }

    static func += (records: inout StoredRecords, more: [StoredRecord]) { records.records += more }
}
