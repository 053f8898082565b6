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

    func sweep(_ kind: RecordKind, now: Date) -> (removed: Int, left: Int) {
        stored.withLock { stored in
            let ended = stored.filter { $0.key.kind == kind && $0.value.ends <= now }
            for key in ended.keys { stored[key] = nil }
            return (ended.count, stored.count { $0.key.kind == kind })
        }
    }

    func forms() -> [RecordEntry] {
        stored.withLock { stored in
            stored.filter { $0.key.kind == .form }.map { key, record in
                RecordEntry(name: key.name, byteCount: record.bytes.count, ends: record.ends)
            }
        }
    }

    func room() -> Int? { nil }
}
