import Glibc
import POSIX

import struct FoundationEssentials.Date

/// Records in the directories of a store, one file each; its modification time is the time at which the record ends.
struct FileRecords: Records {
    private let directories: StoreDirectories
    private let files: FileSystem
    private let writers: WriterThreads
    private let sweeper: WriterThreads
    /// A separate thread, so that a flood of forms delays no sign-in.
    private let keeper = WriterThreads(count: 1)
    private let owner = User.current.id

    /// More than the largest form: the setting `SIGNIN_KEPT_BODY` is at most 100 MiB.
    private static let maximumByteCount = 101 << 20
    /// Seconds after which a file with a temporary name belongs to a program that has ended.
    private static let patience = 120.0

    /// - Parameters:
    ///   - directories: the directories of the store.
    ///   - writers: the threads that write what a sign-in waits for.
    ///   - sweeper: the thread that removes what has ended.
    ///   - files: the system calls to use.
    init(in directories: StoreDirectories, writers: WriterThreads, sweeper: WriterThreads, files: FileSystem) {
        (self.directories, self.writers, self.sweeper, self.files) = (directories, writers, sweeper, files)
    }

    func put(_ bytes: [UInt8], _ kind: RecordKind, _ name: RecordName, ends: Date) async throws(StoreError) -> Bool {
        switch kind {
        case .state:
            try await writers.run(.beginning, in: directories) { () throws(SystemError) in
                try mark(name.file, in: files.openOrMakeDirectory(name.shard, in: directories.spent), ends: ends)
            }
        case .form:
            try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
                try files.publish(bytes, as: name.flat, modified: ends, isDurable: false, in: directories.kept)
            }
        }
    }

    /// Looks for a mark on the caller's thread: one system call.
    func get(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        switch kind {
        case .state:
            let status = try asStoreError { () throws(SystemError) in
                try files.statusIfPresent(name.relativePath, in: directories.spent)
            }
            return status == nil ? nil : []
        case .form:
            return try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
                try contents(of: name.flat, in: directories.kept)
            }
        }
    }

    func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        switch kind {
        case .state:
            try await writers.run(.underway, in: directories) { () throws(SystemError) in
                guard let shard = try files.openDirectoryIfPresent(name.shard, in: directories.spent) else {
                    return nil
                }
                return try claim(name.file, in: shard)
            }
        case .form:
            try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
                try claim(name.flat, in: directories.kept)
            }
        }
    }

    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> (removed: Int, left: Int) {
        switch kind {
        case .state:
            try await sweeper.run(.beginning, in: directories) { () throws(SystemError) in
                var (removed, left) = (0, 0)
                for shard in 0..<RecordName.shardCount {
                    let name = RecordName.shard(shard)
                    guard let shard = try files.openDirectoryIfPresent(name, in: directories.spent) else { continue }
                    let swept = try sweep(shard, now: now)
                    (removed, left) = (removed + swept.removed, left + swept.left)
                }
                return (removed, left)
            }
        case .form:
            try await keeper.run(.underway, in: directories) { () throws(SystemError) in
                try sweep(directories.kept, now: now)
            }
        }
    }

    func forms() async throws(StoreError) -> [RecordEntry] {
        try await keeper.run(.underway, in: directories) { () throws(SystemError) in
            var entries: [RecordEntry] = []
            for file in try files.names(in: directories.kept) {
                guard let name = RecordName(flat: file),
                    let status = try files.statusIfPresent(file, in: directories.kept)
                else { continue }
                entries.append(RecordEntry(name: name, byteCount: status.size, ends: status.modificationDate))
            }
            return entries
        }
    }

    func room() throws(StoreError) -> Int? {
        try asStoreError { () throws(SystemError) in try files.freeFiles(in: directories.spent) }
    }

    // MARK: - On a thread that may wait

    /// Creates an empty file; false if it exists already.
    ///
    /// If it could not be made durable, it stays: repeating a sign-in is better than using a state twice.
    private func mark(_ name: String, in shard: borrowing FileDescriptor, ends: Date) throws(SystemError) -> Bool {
        do {
            let file = try files.createFile(name, in: shard)
            try files.setModified(ends, of: file)
            try files.synchronize(file)
            try files.synchronize(shard)
            return true
        } catch {
            guard error.number == EEXIST else { throw error }
            return false
        }
    }

    /// Gives the file a temporary name, which the system lets only one of several callers do, and then removes it.
    private func claim(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> [UInt8]? {
        let temporary = try TemporaryName.make(files)
        do {
            try files.rename(name, to: temporary, in: directory)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
        // What cannot be removed is left to the sweeper.
        defer { try? files.unlink(temporary, in: directory) }
        return try contents(of: temporary, in: directory)
    }

    /// The content of a file; nil if it does not exist, and nothing if it is not a regular file of this user, or is too large.
    private func contents(of name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> [UInt8]? {
        do {
            let file = try files.openFile(name, in: directory)
            let status = try files.status(file)
            return try files.contents(of: file, status, owner: owner, sizes: 0...Self.maximumByteCount) ?? []
        } catch {
            switch error.number {
            case ENOENT: return nil
            case ELOOP, ENXIO: return []
            default: throw error
            }
        }
    }

    /// Removes the records in a directory that have ended, and abandoned files.
    private func sweep(
        _ directory: borrowing FileDescriptor,
        now: Date
    ) throws(SystemError) -> (removed: Int, left: Int) {
        var (removed, left) = (0, 0)
        for name in try files.names(in: directory) {
            let isUnfinished = TemporaryName.matches(name)
            guard isUnfinished || RecordName.isFile(name) || RecordName.isFlat(name) else { continue }
            let ends = (try? files.status(name, in: directory))?.modificationDate
                .addingTimeInterval(isUnfinished ? Self.patience : 0)
            if let ends, ends <= now, (try? files.unlink(name, in: directory)) != nil {
                removed += isUnfinished ? 0 : 1
            } else {
                left += isUnfinished ? 0 : 1
            }
        }
        return (removed, left)
    }
}
