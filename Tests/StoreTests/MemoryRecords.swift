import Sessions
import Synchronization

import struct Foundation.Date

/// Records in memory, for one process: how small a place for records can be.
struct MemoryRecords: Records {
    struct Contents {
        var others: [RecordKind: [RecordName: (bytes: [UInt8], ends: Date)]] = [.state: [:], .form: [:]]
        var sessions: [RecordName: ReadRecord] = [:]
        /// Sessions that a copy brought before the last one.
        var copies: Set<RecordName> = []
        var changing: Set<RecordName> = []
        var tokens: [PersonalTokenID: TokenRecord] = [:]
        var owners: [[UInt8]: TokenOwner] = [:]

        mutating func add(_ records: [StoredRecord], _ origin: RecordOrigin) -> Int {
            let isCopy = if case .copy = origin { true } else { false }
            let new = records.filter { sessions[$0.id.name] == nil || isCopy && copies.contains($0.id.name) }
            for record in new { sessions[record.id.name] = ReadRecord(record) }
            if isCopy { copies.formUnion(new.map(\.id.name)) }
            guard case .copy(let shard, isComplete: true) = origin else { return new.count }
            let ended = copies.filter { $0.bytes[0] == shard }.subtracting(records.map(\.id.name))
            for name in ended { sessions[name] = nil }
            copies = copies.filter { $0.bytes[0] != shard }
            return new.count
        }

        /// Counts a session; true if it has ended.
        static func hasEnded(_ record: ReadRecord, now: Date, idle: Date, _ counts: inout SweepCounts) -> Bool {
            let (head, latest) = (record.bytes.prefix(6), RecordHeader.latestHead)
            let isNewer = head.starts(with: latest.prefix(4)) && latest.lexicographicallyPrecedes(head)
            let hasExpired = record.header.map { $0.expires <= now } ?? false
            let left: WritableKeyPath<SweepCounts, Int> = record.header != nil ? \.live : \.damaged
            let counter = isNewer ? \.newer : hasExpired ? \.expired : record.used <= idle ? \.idle : left
            counts[keyPath: counter] += 1
            return counter == \.expired || counter == \.idle
        }
    }

    private final class Memory: Sendable {
        let contents = Mutex(Contents())
    }

    private let memory = Memory()
    /// How long an update waits for another update of the same session.
    var lockPatience = Duration.seconds(15)

    func withLock<Success>(_ body: (inout sending Contents) -> sending Success) -> Success {
        memory.contents.withLock(body)
    }

    func put(_ records: NewRecords) -> Int {
        withLock { all in
            switch records {
            case .record(let bytes, let kind, let name, let ends):
                guard all.others[kind]?[name] == nil else { return 0 }
                all.others[kind]?[name] = (bytes, ends)
                return 1
            case .sessions(let records, let origin): return all.add(records, origin)
            case .tokens(let tokens, let owners, let room):
                if let room {
                    let owned = all.tokens.values.count { room.names.contains($0.owner) }
                    guard all.tokens.count < room.total, owned < room.owned else { return 0 }
                }
                let count = all.tokens.count
                all.tokens.merge(tokens.map { ($0.id, $0) }) { stored, _ in stored }
                all.owners.merge(owners.map { ($0.name, $0) }) { stored, _ in stored }
                return all.tokens.count - count
            case .replacement(let owner):
                if all.owners[owner.name] != nil { all.owners[owner.name] = owner }
                return 0
            }
        }
    }

    func read(_ selection: RecordSelection) -> ReadRecords {
        withLock { all in
            switch selection {
            case .record(let kind, let name):
                return ReadRecords(all.others[kind]?[name].map { [ReadRecord(name, $0.bytes)] } ?? [])
            case .token(let id):
                guard let token = all.tokens[id] else { return ReadRecords([]) }
                let owner = all.owners[token.owner].map { [ReadRecord($0)] } ?? []
                return ReadRecords([ReadRecord(token)] + owner)
            case .tokens: return ReadRecords(all.tokens.values.map(ReadRecord.init))
            case .owners(let names):
                let owners = names.map { $0.compactMap { all.owners[$0] } } ?? Array(all.owners.values)
                return ReadRecords(owners.map(ReadRecord.init))
            case .shard(let shard, _): return ReadRecords(all.sessions.values.filter { $0.name.bytes[0] == shard })
            case .member(let member):
                return ReadRecords(all.sessions.values.filter { $0.header?.identity.member == member })
            }
        }
    }

    func take(_ kind: RecordKind, _ name: RecordName) -> [UInt8]? {
        withLock { $0.others[kind]?.removeValue(forKey: name)?.bytes }
    }

    func remove(_ choice: RecordChoice) -> Int {
        withLock { all in
            let count = all.sessions.count + all.tokens.count
            switch choice {
            case .sessions(.ids(let ids)): for id in ids { all.sessions[id.name] = nil }
            case .sessions(.all(let member)):
                all.sessions = all.sessions.filter { $0.value.header?.identity.member != member }
            case .sessions(.signedOut(let notice)):
                all.sessions = all.sessions.filter { !($0.value.header.map { notice.ends($0.identity) } ?? false) }
            case .tokens(let choice):
                all.tokens = all.tokens.filter { !choice.contains($0.value) }
                let remaining = Set(all.tokens.values.map(\.owner))
                all.owners = all.owners.filter { remaining.contains($0.key) }
            }
            return count - all.sessions.count - all.tokens.count
        }
    }

    func sweep(_ part: SweptPart, now: Date) -> SweptRecords {
        withLock { all in
            switch part {
            case .shard(let shard, let idle):
                var swept = SweptRecords()
                for (name, record) in all.sessions where name.bytes[0] == shard {
                    if Contents.hasEnded(record, now: now, idle: idle, &swept.counts) { all.sessions[name] = nil }
                }
                return swept
            case .records(let kind):
                let records = all.others[kind, default: [:]]
                let left = records.filter { now < $0.value.ends }
                all.others[kind] = left
                var swept = SweptRecords(expired: records.count - left.count, live: left.count)
                if kind == .form {
                    swept.forms = left.map { RecordEntry(name: $0, byteCount: $1.bytes.count, ends: $1.ends) }
                }
                return swept
            }
        }
    }

    func noteUse(_ record: UsedRecord, _ now: Date) {
        withLock { all in
            switch record {
            case .session(let name):
                all.sessions[name] = all.sessions[name].map { ReadRecord(name, $0.bytes, used: now) }
            case .token(let id):
                all.tokens[id] = all.tokens[id].flatMap { TokenRecord(id: id, bytes: $0.bytes, used: now) }
            }
        }
    }

    // MARK: - Sessions

    func find(_ name: RecordName, _ need: SessionNeed) -> FoundSession { .read(reading(name)) }

    func beginRead(
        _ name: RecordName,
        _ need: SessionNeed,
        _ answer: @escaping @Sendable (Result<SessionReading?, StoreError>) -> Void
    ) {
        answer(.success(reading(name)))
    }

    private func reading(_ name: RecordName) -> SessionReading? {
        withLock { $0.sessions[name].map { SessionReading(bytes: $0.bytes, used: $0.used, validator: nil) } }
    }

    func remember(_ session: CheckedSession, _ name: RecordName, _ reading: SessionReading, used: Date, now: Date) {}

    func change(
        _ name: RecordName,
        _ change: (_ bytes: [UInt8], _ used: Date) async throws -> StoredRecord?
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + lockPatience
        while !withLock({ $0.changing.insert(name).inserted }) {
            guard ContinuousClock.now < deadline else {
                throw StoreError(.locked, detail: "another update of the session takes too long")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        defer { withLock { _ = $0.changing.remove(name) } }
        guard let found = reading(name) else { return false }
        let new = try await change(found.bytes, found.used)
        return withLock { all in
            guard all.sessions[name] != nil else { return false }
            if let new { all.sessions[name] = ReadRecord(new) }
            return true
        }
    }
}

extension ReadRecord {
    fileprivate init(_ session: StoredRecord) { self.init(session.id.name, session.bytes, used: session.used) }
    fileprivate init(_ token: TokenRecord) { self.init(token.id.name, token.bytes, used: token.used ?? Self.unused) }
    fileprivate init(_ owner: TokenOwner) { self.init(RecordName(hash: owner.name), owner.bytes) }
}
