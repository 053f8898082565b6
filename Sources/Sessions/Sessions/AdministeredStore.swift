package import struct FoundationEssentials.Date

/// A store whose sessions an operator lists and ends, without their tickets.
package protocol AdministeredStore: Sendable {
    /// Lists one part of the store. This does not count as use of the sessions.
    ///
    /// - Parameters:
    ///   - shard: the part, from 0 to 255: the first byte of the IDs in it.
    ///   - now: the current time.
    /// - Returns: the sessions in this part.
    /// - Throws: `StoreError` if the part cannot be read.
    func list(shard: Int, now: Date) async throws(StoreError) -> SessionList

    /// Ends sessions, durably and for all processes that use the store.
    ///
    /// - Parameter ids: their IDs; an unknown session has already ended.
    /// - Returns: the number of sessions that this call ended.
    /// - Throws: `StoreError`; some of the sessions may have ended.
    func remove(_ ids: [SessionID]) async throws(StoreError) -> Int

    /// What is wrong with records that belong to another user, and what to do; nil if there are none.
    var messageAboutForeignRecords: String? { get }
}

/// The name of a session in a store: made from a hash of its ticket.
package typealias SessionID = RecordID<Session>

/// The name of a record in a store: 16 bytes of a hash of its secret, which do not lead back to the secret.
package struct RecordID<Content>: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Uses the first 16 bytes of a hash.
    init(hash: [UInt8]) {
        bytes = Array(hash.prefix(16))
    }

    /// Reads 32 lower-case hexadecimal digits.
    package init?(digits: String) {
        guard RecordName.isFlat(digits) else { return nil }
        let values = digits.utf8.map { $0 > 57 ? $0 - 87 : $0 - 48 }
        bytes = stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// The part of the store that has the session.
    package var shard: Int { Int(bytes[0]) }

    /// 32 lower-case hexadecimal digits.
    package var description: String { RecordName(hash: bytes).flat }

    package static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
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

    /// Adds a record; `bytes` are at least its header.
    package mutating func add(_ id: SessionID, _ bytes: [UInt8], used: Date, now: Date, idleLimit: Double) {
        guard case .header(let header, _) = RecordHeader.read(bytes) else { return unreadable.append(id) }
        guard now < header.expires, now.timeIntervalSince(used) < idleLimit else { return ended.append(id) }
        live.append(
            ListedSession(
                id: id,
                identity: header.identity,
                created: header.created,
                expires: header.expires,
                used: used
            )
        )
    }

    package static func += (list: inout SessionList, more: SessionList) {
        list.live += more.live
        list.ended += more.ended
        list.unreadable += more.unreadable
    }
}
