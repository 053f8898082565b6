import Glibc
import POSIX
import Synchronization

import struct Crypto.SHA256
import struct FoundationEssentials.Date

/// The marks of spent states in a store's directory.
///
/// A mark is an empty file. Its name is a hash of the state, and its modification time says when it may be removed.
struct SpentMarks: Sendable {
    private let directories: StoreDirectories
    private let writers: WriterThreads
    private let files: FileSystem
    private let ledger: SpentLedger

    /// - Parameters:
    ///   - directories: the directories of the store.
    ///   - maximum: the maximum number of marks.
    ///   - writers: the threads that write marks.
    ///   - files: the system calls to use.
    init(in directories: StoreDirectories, maximum: Int, writers: WriterThreads, files: FileSystem) {
        self.directories = directories
        self.writers = writers
        self.files = files
        ledger = SpentLedger(maximum: maximum)
    }

    /// See `SpentStateStore.spend`.
    func spend(
        _ state: String,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        switch ledger.reserve(for: client, until: expires, now: now) {
        case .free: break
        case .full: return .full
        case .shareTaken: return .shareTaken
        }
        let name = Self.name(of: state)
        do throws(StoreError) {
            let isNew = try await writers.run(.beginning) { () throws(StoreError) in
                try directories.refresh()
                return try asStoreError { () throws(SystemError) in try mark(name, until: expires) }
            }
            if isNew { return .spent }
            ledger.release(for: client, until: expires)
            return .usedBefore
        } catch {
            // The mark may exist nevertheless; then the next sweep counts it.
            ledger.release(for: client, until: expires)
            throw error
        }
    }

    /// Looks on the caller's thread: one system call.
    func isSpent(_ state: String) throws(StoreError) -> Bool {
        try asStoreError { () throws(SystemError) in
            try files.statusIfPresent(Self.name(of: state).relativePath, in: directories.spent) != nil
        }
    }

    /// Removes the marks that have expired and counts the others.
    ///
    /// - Returns: how many were removed.
    func sweep(now: Date) throws(SystemError) -> Int {
        let start = ledger.added
        var (removed, rest) = (0, 0)
        for shard in 0..<FileStore.shardCount {
            let name = RecordName.shard(shard)
            guard let shard = try files.openDirectoryIfPresent(name, in: directories.spent) else { continue }
            for file in try files.names(in: shard) where RecordName.isFile(file) {
                if isExpired(file, in: shard, now: now), (try? files.unlink(file, in: shard)) != nil {
                    removed += 1
                } else {
                    rest += 1
                }
            }
        }
        ledger.recount(rest, since: start, free: try files.freeFiles(in: directories.spent))
        return removed
    }

    private func isExpired(_ file: String, in shard: borrowing FileDescriptor, now: Date) -> Bool {
        guard let status = try? files.status(file, in: shard) else { return false }
        return status.modificationDate < now
    }

    private static func name(of state: String) -> RecordName {
        RecordName(hash: SHA256.hash(data: Array(state.utf8)))
    }

    /// Creates a mark; false if it exists already.
    ///
    /// A mark that could not be made durable stays: repeating a sign-in is better than using a state twice.
    private func mark(_ name: RecordName, until expires: Date) throws(SystemError) -> Bool {
        let shard = try files.openOrMakeDirectory(name.shard, in: directories.spent)
        do {
            let file = try files.createFile(name.file, in: shard)
            try files.setModified(expires, of: file)
            try files.synchronize(file)
            try files.synchronize(shard)
            return true
        } catch {
            guard error.number == EEXIST else { throw error }
            return false
        }
    }
}

/// The maximum number of marks of spent states.
package enum SpentStates {
    /// The maximum for a file system with little room.
    ///
    /// Half of the files that the file system has room for stay free for sessions, because nobody can sign in without
    /// one.
    ///
    /// - Parameters:
    ///   - maximum: the operator's limit.
    ///   - count: marks that exist.
    ///   - free: files that can still be created.
    /// - Returns: at least 1.
    package static func limit(_ maximum: Int, count: Int, free: Int) -> Int {
        min(maximum, max(1, (count + free) / 2))
    }
}

/// Counts the marks of spent states, in total and for each client, so that no flood fills the disk with them.
///
/// Every sweep counts the total, which is kept up to date in between. Shares are in memory only: a restart resets the
/// shares, but not the total.
private final class SpentLedger: Sendable {
    enum Room: Sendable {
        case free
        case full
        case shareTaken
    }

    private struct State {
        /// The marks that the last sweep left, plus all marks added since it began.
        var count = 0
        var added = 0
        /// The operator's limit, or less if the file system has less room.
        var limit: Int
        /// Marks of each client, by the minute in which they expire.
        var shares: [Int: [UInt64: Int]] = [:]
    }

    private let maximum: Int
    private let state: Mutex<State>

    init(maximum: Int) {
        self.maximum = maximum
        state = Mutex(State(limit: maximum))
    }

    /// Counts a mark, if there is room for it.
    ///
    /// One client has room for a quarter of all marks.
    func reserve(for client: UInt64, until expires: Date, now: Date) -> Room {
        state.withLock { state in
            let present = Self.minute(now)
            state.shares = state.shares.filter { $0.key >= present }
            if state.count >= state.limit { return .full }
            let own = state.shares.values.reduce(0) { $0 + $1[client, default: 0] }
            if own >= max(1, state.limit / 4) { return .shareTaken }
            state.count += 1
            state.added += 1
            state.shares[Self.minute(expires), default: [:]][client, default: 0] += 1
            return .free
        }
    }

    /// Cancels a reservation for which no mark was created.
    func release(for client: UInt64, until expires: Date) {
        state.withLock { state in
            let minute = Self.minute(expires)
            guard let own = state.shares[minute]?[client], own > 0 else { return }
            state.shares[minute]?[client] = own > 1 ? own - 1 : nil
            state.count -= 1
            state.added -= 1
        }
    }

    /// How many marks were added since the start; a sweep notes it when it begins to count.
    var added: Int { state.withLock { $0.added } }

    /// Replaces the total by the result of a sweep.
    ///
    /// - Parameters:
    ///   - count: marks that the sweep found and left.
    ///   - start: `added` when the sweep began; marks added later count even if the sweep also found them.
    ///   - free: files that the file system has room for; nil if it does not say.
    func recount(_ count: Int, since start: Int, free: Int?) {
        state.withLock { state in
            state.count = count + max(0, state.added - start)
            state.limit = free.map { SpentStates.limit(maximum, count: count, free: $0) } ?? maximum
        }
    }

    /// The minute of a date; minutes beyond the range of `Int32` become its first or last.
    private static func minute(_ date: Date) -> Int {
        let minutes = (date.timeIntervalSince1970 / 60).rounded(.down)
        return Int(max(Double(Int32.min), min(Double(Int32.max), minutes)))
    }
}
