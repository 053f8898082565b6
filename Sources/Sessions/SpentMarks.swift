import Glibc
import POSIX

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
        if let refusal = ledger.reserve(for: client, until: expires, now: now) { return refusal }
        let name = Self.name(of: state)
        do throws(StoreError) {
            let isNew = try await writers.run(.beginning, in: directories) { () throws(SystemError) in
                try mark(name, until: expires)
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
