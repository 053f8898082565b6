package import struct FoundationEssentials.Date

/// The name of a session in a store: made from a hash of its ticket.
package typealias SessionID = RecordID<Session>

/// The name of a record in a store: 16 bytes of a hash of its secret, which do not lead back to the secret.
package struct RecordID<Content>: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let name: RecordName

    init(_ name: RecordName) {
        self.name = name
    }

    /// Nil unless there are 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        name = RecordName(hash: bytes)
    }

    /// Reads 32 lower-case hexadecimal digits.
    package init?(digits: String) {
        guard let name = RecordName(flat: digits) else { return nil }
        self.name = name
    }

    package var bytes: [UInt8] { name.bytes }

    /// The part of the store that has the session.
    package var shard: Int { Int(bytes[0]) }

    /// 32 lower-case hexadecimal digits.
    package var description: String { name.flat }

    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

extension SessionID {
    /// The name of the record of a ticket's session.
    package init(_ ticket: Ticket) { self.init(TicketKeys.name(of: ticket)) }
}

/// A session as an operator sees it: nothing that opens it, no tokens and no profile.
package struct ListedSession: Sendable, Equatable {
    package let id: SessionID
    package let identity: Identity
    /// When the member signed in.
    package let created: Date
    /// The absolute end.
    package let expires: Date
    /// The last use, a few minutes late at most.
    package let used: Date
}

/// The sessions in a store, or in one part of it.
package struct SessionList: Sendable, Equatable {
    /// Sessions that have not ended.
    package private(set) var live: [ListedSession] = []
    /// Sessions that have ended and are not removed yet.
    package private(set) var ended: [SessionID] = []
    /// Records that this program cannot read: damaged ones, those of a newer version, and those of another user.
    package private(set) var unreadable: [SessionID] = []

    package init() {}

    /// Separates the sessions in one part of a store that have ended from the others.
    init(_ part: ReadRecords, now: Date, _ limit: IdleLimit) {
        let part = StoredRecords(part)
        unreadable = part.unreadable
        for record in part.records {
            let header = record.header
            guard now < header.expires, !limit.isOver(since: record.used, at: now) else {
                ended.append(record.id)
                continue
            }
            live.append(
                ListedSession(
                    id: record.id,
                    identity: header.identity,
                    created: header.created,
                    expires: header.expires,
                    used: record.used
                )
            )
        }
    }

    package static func += (list: inout SessionList, more: SessionList) {
        list.live += more.live
        list.ended += more.ended
        list.unreadable += more.unreadable
    }
}
