import Synchronization

import struct FoundationEssentials.Date

/// What the kept requests take up, as running sums: whoever adds one looks at no file.
///
/// The sums are exact for what this process adds and removes. What another process on the same store adds counts at the
/// next sweep, which reads the directory every few seconds; until then each process may fill the room by itself. Who
/// sent a request is known in memory only: after a restart all shares are free again, and the total is not.
final class KeptLedger: Sendable {
    enum Room: Sendable {
        case free
        case full
        /// The sender holds as much as one sender may.
        case shareTaken
    }

    /// A file, as a survey finds it.
    struct File {
        let name: String
        let size: Int
        let expires: Date
    }

    private struct Entry {
        let size: Int
        let expires: Date
        /// Nil if it was added before this process started, or by another one.
        let sender: UInt64?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var shares: [UInt64: Int] = [:]
        /// Nil before the first survey.
        var surveyed: Date?
        /// When the first of the surveyed files expires.
        var firstExpiry = Date.distantFuture

        mutating func add(_ entry: Entry, _ name: String) {
            remove(name)
            entries[name] = entry
            size += entry.size
            firstExpiry = min(firstExpiry, entry.expires)
            if let sender = entry.sender { shares[sender, default: 0] += entry.size }
        }

        @discardableResult
        mutating func remove(_ name: String) -> Entry? {
            guard let entry = entries.removeValue(forKey: name) else { return nil }
            size -= entry.size
            if let sender = entry.sender {
                let rest = shares[sender, default: 0] - entry.size
                shares[sender] = rest > 0 ? rest : nil
            }
            return entry
        }
    }

    private let total: Int
    /// A quarter, so that it takes several senders to fill the room.
    private let share: Int
    private let state = Mutex(State())

    /// - Parameter total: bytes of all requests together.
    init(total: Int) {
        self.total = total
        share = total / 4
    }

    /// Whether there is room for one more; a sender that has none may always keep one, however large.
    func room(for size: Int, of sender: UInt64) -> Room {
        state.withLock { state in
            if state.size + size > total { return .full }
            guard let own = state.shares[sender] else { return .free }
            return own + size > share ? .shareTaken : .free
        }
    }

    /// Whether the directory has to be read before anybody is refused: at first, and when a file has expired since.
    ///
    /// At most once a second, so that a flood of requests does not become a flood of walks over the directory.
    func needsSurvey(now: Date, isFull: Bool) -> Bool {
        state.withLock { state in
            guard let surveyed = state.surveyed else { return true }
            guard isFull, state.firstExpiry <= now else { return false }
            return abs(now.timeIntervalSince(surveyed)) >= 1
        }
    }

    /// Puts what was found in the directory in place of all sums.
    func replace(with files: [File], now: Date) {
        state.withLock { state in
            let known = state.entries
            state = State()
            state.surveyed = now
            for file in files {
                let entry = Entry(size: file.size, expires: file.expires, sender: known[file.name]?.sender)
                state.add(entry, file.name)
            }
        }
    }

    func add(_ name: String, size: Int, expires: Date, sender: UInt64) {
        state.withLock { $0.add(Entry(size: size, expires: expires, sender: sender), name) }
    }

    func move(_ name: String, to other: String) {
        state.withLock { state in
            if let entry = state.remove(name) { state.add(entry, other) }
        }
    }

    func remove(_ name: String) {
        state.withLock { _ = $0.remove(name) }
    }
}
