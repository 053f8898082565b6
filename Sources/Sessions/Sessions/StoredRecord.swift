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

    /// Separates the sessions that this program can read from the others.
    package init(_ read: ReadRecords) {
        for record in read.records {
            let id = SessionID(record.name)
            if let header = record.header {
                records.append(StoredRecord(id: id, bytes: record.bytes, used: record.used, header: header))
            } else {
                unreadable.append(id)
            }
        }
    }
}

/// Records that were read.
package struct ReadRecords: Sendable {
    package let records: [ReadRecord]
    /// False if finding the sessions of a member would take long.
    package let isComplete: Bool

    package init(_ records: [ReadRecord], isComplete: Bool = true) {
        (self.records, self.isComplete) = (records, isComplete)
    }
}

/// A record as its place keeps it; no bytes if it cannot be read.
package struct ReadRecord: Sendable {
    /// The last use of what was not used, or has no last use.
    package static let unused = Date(timeIntervalSince1970: 0)

    package let name: RecordName
    package let bytes: [UInt8]
    package let used: Date

    package init(_ name: RecordName, _ bytes: [UInt8], used: Date = Self.unused) {
        (self.name, self.bytes, self.used) = (name, bytes, used)
    }

    /// The header of a session's record; nil if this program cannot read it.
    package var header: RecordHeader? {
        guard case .header(let header, _) = RecordHeader.read(bytes) else { return nil }
        return header
    }
}
