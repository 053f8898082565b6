import Synchronization

package import struct FoundationEssentials.Date

/// Adds up the sizes of the kept forms as they come and go, so that adding one reads no file.
///
/// The sums are exact for forms that this process adds and removes. Forms of another process on the same store count from
/// the next survey of the directory, which happens every few seconds; until then each process may fill the room by
/// itself. The clients are in memory only: a restart resets the shares, but not the total.
package final class KeptFormLedger: Sendable {
    /// A file that a survey found.
    package struct File {
        let name: String
        let size: Int
        let expires: Date

        package init(name: String, size: Int, expires: Date) {
            self.name = name
            self.size = size
            self.expires = expires
        }
    }

    private struct Entry {
        let size: Int
        let expires: Date
        /// Nil if the form was added before this process started, or by another process.
        let client: UInt64?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var shares: [UInt64: Int] = [:]
        /// Nil before the first survey.
        var surveyed: Date?
        /// When the first of the files expires.
        var firstExpiry = Date.distantFuture

        mutating func add(_ entry: Entry, _ name: String) {
            remove(name)
            entries[name] = entry
            size += entry.size
            firstExpiry = min(firstExpiry, entry.expires)
            if let client = entry.client { shares[client, default: 0] += entry.size }
        }

        @discardableResult
        mutating func remove(_ name: String) -> Entry? {
            guard let entry = entries.removeValue(forKey: name) else { return nil }
            size -= entry.size
            if let client = entry.client {
                let rest = shares[client, default: 0] - entry.size
                shares[client] = rest > 0 ? rest : nil
            }
            return entry
        }
    }

    private let total: Int
    /// A quarter, so that it takes several clients to fill the room.
    private let share: Int
    private let state = Mutex(State())

    /// - Parameter total: bytes of all forms together.
    package init(total: Int) {
        self.total = total
        share = total / 4
    }

    /// The bytes of all forms together.
    package var bytes: Int { state.withLock { $0.size } }

    /// Why there is no room for one more form, or nil; a client that has none may always keep one, however large.
    package func refusal(of size: Int, from client: UInt64) -> KeepOutcome? {
        state.withLock { state in
            if state.size + size > total { return .full }
            guard let own = state.shares[client] else { return nil }
            return own + size > share ? .shareTaken : nil
        }
    }

    /// Whether the directory must be read before a form is rejected: at first, and when a file has expired since.
    ///
    /// At most once a second, so that a flood of forms does not read the directory again and again. `isFull`
    /// says whether the form would be rejected without a survey.
    package func needsSurvey(now: Date, isFull: Bool) -> Bool {
        state.withLock { state in
            guard let surveyed = state.surveyed else { return true }
            guard isFull, state.firstExpiry <= now else { return false }
            return abs(now.timeIntervalSince(surveyed)) >= 1
        }
    }

    /// Replaces all sums by the files found in the directory.
    package func replace(with files: [File], now: Date) {
        state.withLock { state in
            let known = state.entries
            state = State()
            state.surveyed = now
            for file in files {
                let entry = Entry(size: file.size, expires: file.expires, client: known[file.name]?.client)
                state.add(entry, file.name)
            }
        }
    }

    package func add(_ name: String, size: Int, expires: Date, client: UInt64) {
        state.withLock { $0.add(Entry(size: size, expires: expires, client: client), name) }
    }

    func move(_ name: String, to other: String) {
        state.withLock { state in
            if let entry = state.remove(name) { state.add(entry, other) }
        }
    }

    package func remove(_ name: String) {
        state.withLock { _ = $0.remove(name) }
    }
}
