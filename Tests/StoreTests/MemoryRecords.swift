import Sessions
import Synchronization
import TestSupport

import struct Foundation.Date

/// Records in memory, for one process: how small a place for records can be.
final class MemoryRecords: Records {
    private struct Key: Hashable {
        let kind: RecordKind
        let name: RecordName
    }

    private let stored = Mutex<[Key: (bytes: [UInt8], ends: Date)]>([:])

    func put(_ bytes: [UInt8], _ kind: RecordKind, _ name: RecordName, ends: Date) -> Bool {
        stored.withLock { stored in
            let key = Key(kind: kind, name: name)
            guard stored[key] == nil else { return false }
            stored[key] = (bytes, ends)
            return true
        }
    }

    func get(_ kind: RecordKind, _ name: RecordName) -> [UInt8]? {
        stored.withLock { $0[Key(kind: kind, name: name)]?.bytes }
    }

    func take(_ kind: RecordKind, _ name: RecordName) -> [UInt8]? {
        stored.withLock { $0.removeValue(forKey: Key(kind: kind, name: name))?.bytes }
    }

    func sweep(_ kind: RecordKind, now: Date) -> SweptRecords {
        stored.withLock { stored in
            let ended = stored.filter { $0.key.kind == kind && $0.value.ends <= now }
            for key in ended.keys { stored[key] = nil }
            let left = stored.filter { $0.key.kind == kind }
            var swept = SweptRecords(removed: ended.count, left: left.count)
            if kind == .form {
                swept.forms = left.map { RecordEntry(name: $0.name, byteCount: $1.bytes.count, ends: $1.ends) }
            }
            return swept
        }
    }

    // MARK: - Tokens and their owners

    private struct Tokens {
        var tokens: [PersonalTokenID: TokenRecord] = [:]
        var owners: [[UInt8]: TokenOwner] = [:]
    }

    private let tokens = Mutex(Tokens())

    func add(_ tokens: [TokenRecord], owners: [TokenOwner], room: TokenRoom?) -> Bool {
        self.tokens.withLock { all in
            let present = all.tokens
            if let room {
                let owned = present.values.count { room.names.contains($0.owner) }
                guard present.count < room.total, owned < room.owned else { return false }
            }
            all.tokens.merge(tokens.map { ($0.id, $0) }) { stored, _ in stored }
            all.owners.merge(owners.map { ($0.name, $0) }) { stored, _ in stored }
            return !tokens.contains { present[$0.id] != nil }
        }
    }

    func token(_ id: PersonalTokenID) -> (token: TokenRecord, owner: TokenOwner?)? {
        tokens.withLock { all in all.tokens[id].map { ($0, all.owners[$0.owner]) } }
    }

    func noteUse(_ id: PersonalTokenID, _ now: Date) {
        tokens.withLock { all in
            all.tokens[id] = all.tokens[id].flatMap { TokenRecord(id: id, bytes: $0.bytes, used: now) }
        }
    }

    func tokens(of owners: [[UInt8]]?) -> [TokenRecord] { tokens.withLock { Array($0.tokens.values) } }

    func remove(_ choice: TokenChoice) -> Int {
        tokens.withLock { all in
            let count = all.tokens.count
            all.tokens = all.tokens.filter { !choice.contains($0.value) }
            let remaining = Set(all.tokens.values.map(\.owner))
            all.owners = all.owners.filter { remaining.contains($0.key) }
            return count - all.tokens.count
        }
    }

    func owners(_ names: [[UInt8]]?) -> [TokenOwner] {
        tokens.withLock { all in names.map { $0.compactMap { all.owners[$0] } } ?? Array(all.owners.values) }
    }

    func replace(_ owner: TokenOwner) {
        tokens.withLock { all in if all.owners[owner.name] != nil { all.owners[owner.name] = owner } }
    }
}
