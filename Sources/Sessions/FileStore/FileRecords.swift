import Glibc
import POSIX

import struct FoundationEssentials.Date

/// Records in the directories of a store, one file each.
///
/// The modification time of the file of a state or form is the time at which the record ends. The modification time of a
/// token's file is the last use; before the first use it is the beginning of 1970. The directory of tokens and owners is
/// locked while files are added, replaced or removed.
struct FileRecords: Records {
    private let directories: StoreDirectories
    private let files: FileSystem
    private let writers: WriterThreads
    private let sweeper: WriterThreads
    /// A separate thread, so that a flood of forms delays no sign-in.
    private let keeper = WriterThreads(count: 1)
    /// A separate thread, because listing tokens reads every file.
    private let lister = WriterThreads(count: 1, limit: 64)
    private let owner = User.current.id

    /// The possible sizes of a form: the setting `SIGNIN_KEPT_BODY` is at most 100 MiB.
    private static let sizes = 0...101 << 20
    /// Seconds after which a file with a temporary name belongs to a program that has ended.
    private static let patience = 120.0
    private static let ownerPrefix = "owner-"
    private static let unused = Date(timeIntervalSince1970: 0)

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
                try files.record(name.flat, in: directories.kept, owner: owner, sizes: Self.sizes)?.bytes
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

    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> SweptRecords {
        switch kind {
        case .state:
            try await sweeper.run(.beginning, in: directories) { () throws(SystemError) in
                var swept = SweptRecords()
                for shard in 0..<RecordName.shardCount {
                    let name = RecordName.shard(shard)
                    guard let shard = try files.openDirectoryIfPresent(name, in: directories.spent) else { continue }
                    try sweep(shard, now: now, &swept)
                }
                swept.room = try files.freeFiles(in: directories.spent)
                return swept
            }
        case .form:
            try await keeper.run(.underway, in: directories) { () throws(SystemError) in
                var swept = SweptRecords()
                try sweep(directories.kept, now: now, &swept)
                return swept
            }
        }
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
        return try files.record(temporary, in: directory, owner: owner, sizes: Self.sizes)?.bytes
    }

    /// Removes the records in a directory that have ended, and abandoned files.
    private func sweep(
        _ directory: borrowing FileDescriptor,
        now: Date,
        _ swept: inout SweptRecords
    ) throws(SystemError) {
        for name in try files.names(in: directory) {
            let isUnfinished = TemporaryName.matches(name)
            guard isUnfinished || RecordName.isFile(name) || RecordName.isFlat(name) else { continue }
            let status = try? files.status(name, in: directory)
            let ends = status?.modificationDate.addingTimeInterval(isUnfinished ? Self.patience : 0)
            if let ends, ends <= now, (try? files.unlink(name, in: directory)) != nil {
                swept.removed += isUnfinished ? 0 : 1
            } else if !isUnfinished {
                swept.left += 1
                // States are in shards, where names are shorter.
                guard let status, let form = RecordName(flat: name) else { continue }
                swept.forms.append(RecordEntry(name: form, byteCount: status.size, ends: status.modificationDate))
            }
        }
    }

    // MARK: - Tokens and their owners

    func add(_ tokens: [TokenRecord], owners: [TokenOwner], room: TokenRoom?) async throws(StoreError) -> Bool {
        try await locked { () throws(SystemError) in
            if let room {
                let others = try self.tokens(files.names(in: directories.tokens)).tokens
                let owned = others.count { room.names.contains($0.owner) }
                guard others.count < room.total, owned < room.owned else { return false }
            }
            for owner in owners where try storedOwner(owner.name) == nil {
                try files.overwrite(Self.file(ofOwner: owner.name), with: owner.bytes, in: directories.tokens)
            }
            var isComplete = true
            for token in tokens {
                let (name, used) = (token.id.description, token.used ?? Self.unused)
                let isNew = try files.publish(token.bytes, as: name, modified: used, in: directories.tokens)
                isComplete = isComplete && isNew
            }
            return isComplete
        }
    }

    /// Reads on the caller's thread, as a session is read.
    func token(_ id: PersonalTokenID) async throws(StoreError) -> (token: TokenRecord, owner: TokenOwner?)? {
        if let found = try storedToken(id) { return found }
        return try directories.refreshAtMostOncePerSecond() ? storedToken(id) : nil
    }

    private func storedToken(_ id: PersonalTokenID) throws(StoreError) -> (token: TokenRecord, owner: TokenOwner?)? {
        try asStoreError { () throws(SystemError) in
            guard let token = Self.token(id, try tokenContents(id.description)) else {
                return nil
            }
            return (token, try storedOwner(token.owner))
        }
    }

    private func storedOwner(_ name: [UInt8]) throws(SystemError) -> TokenOwner? {
        guard let file = try tokenContents(Self.file(ofOwner: name)),
            let owner = TokenOwner(bytes: file.bytes), owner.name == name
        else { return nil }
        return owner
    }

    private func tokenContents(_ name: String) throws(SystemError) -> (bytes: [UInt8], modified: Date)? {
        try files.record(name, in: directories.tokens, owner: owner, sizes: 0...65_536)
    }

    private static func token(_ id: PersonalTokenID, _ file: (bytes: [UInt8], modified: Date)?) -> TokenRecord? {
        file.flatMap { TokenRecord(id: id, bytes: $0.bytes, used: $0.modified > unused ? $0.modified : nil) }
    }

    private static func file(ofOwner name: [UInt8]) -> String { ownerPrefix + RecordName(hash: name).flat }

    /// Tokens in a directory that became read-only stay valid.
    func noteUse(_ id: PersonalTokenID, _ now: Date) {
        try? files.setModified(now, id.description, in: directories.tokens)
    }

    /// All tokens: the files of all must be read to know their owners.
    func tokens(of owners: [[UInt8]]?) async throws(StoreError) -> [TokenRecord] {
        try await lister.run(.beginning, in: directories) { () throws(SystemError) in
            try tokens(files.names(in: directories.tokens)).tokens
        }
    }

    /// The tokens among the files of the directory, and whether all files with the name of a token could be read as one.
    private func tokens(_ names: [String]) throws(SystemError) -> (tokens: [TokenRecord], isComplete: Bool) {
        var (tokens, isComplete) = ([TokenRecord](), true)
        for name in names {
            guard let id = PersonalTokenID(digits: name) else { continue }
            if let token = Self.token(id, try readable(name)) {
                tokens.append(token)
            } else {
                isComplete = false
            }
        }
        return (tokens, isComplete)
    }

    /// The content of a token's or owner's file; nil also if the file cannot be read, because one such file must not stop
    /// lists and changes of all others.
    private func readable(_ name: String) throws(SystemError) -> (bytes: [UInt8], modified: Date)? {
        do throws(SystemError) {
            return try tokenContents(name)
        } catch {
            guard [EACCES, EPERM, EIO].contains(error.number) else { throw error }
            return nil
        }
    }

    func remove(_ choice: TokenChoice) async throws(StoreError) -> Int {
        try await locked { () throws(SystemError) in
            let names = try files.names(in: directories.tokens)
            let (tokens, isComplete) = try self.tokens(names)
            let removed = tokens.filter(choice.contains)
            for token in removed { try files.unlink(token.id.description, in: directories.tokens) }
            let remaining = Set(tokens.filter { !choice.contains($0) }.map { Self.file(ofOwner: $0.owner) })
            var owners = Set(removed.map { Self.file(ofOwner: $0.owner) })
            switch choice {
            case .tokens(_, let more): owners.formUnion(more.map(Self.file(ofOwner:)))
            case .ended(let now):
                for name in names { _ = files.removeIfAbandoned(name, in: directories.tokens, now: now) }
            }
            owners = owners.subtracting(remaining).intersection(names)
            for name in owners { try files.unlink(name, in: directories.tokens) }
            if !removed.isEmpty || !owners.isEmpty { try files.synchronize(directories.tokens) }
            // A program that ended while it added a token may have left an owner. Nobody knows the owner of an unreadable token.
            guard isComplete else { return removed.count }
            for name in names where name.hasPrefix(Self.ownerPrefix) {
                if !remaining.contains(name), !owners.contains(name) { try? files.unlink(name, in: directories.tokens) }
            }
            return removed.count
        }
    }

    /// Reads named owners on the caller's thread.
    func owners(_ names: [[UInt8]]?) async throws(StoreError) -> [TokenOwner] {
        if let names {
            return try asStoreError { () throws(SystemError) in
                var owners: [TokenOwner] = []
                for name in names { if let owner = try storedOwner(name) { owners.append(owner) } }
                return owners
            }
        }
        return try await lister.run(.beginning, in: directories) { () throws(SystemError) in
            var owners: [TokenOwner] = []
            for name in try files.names(in: directories.tokens) where name.hasPrefix(Self.ownerPrefix) {
                if let owner = try readable(name).flatMap({ TokenOwner(bytes: $0.bytes) }) { owners.append(owner) }
            }
            return owners
        }
    }

    func replace(_ owner: TokenOwner) async throws(StoreError) {
        let name = Self.file(ofOwner: owner.name)
        // Most members own no token.
        guard try asStoreError({ () throws(SystemError) in try isPresent(name) }) else { return }
        try await locked { () throws(SystemError) in
            // Somebody may have revoked the last token meanwhile.
            if try isPresent(name) { try files.overwrite(name, with: owner.bytes, in: directories.tokens) }
        }
    }

    private func isPresent(_ name: String) throws(SystemError) -> Bool {
        try files.statusIfPresent(name, in: directories.tokens) != nil
    }

    /// Runs work while no other process changes the directory of tokens.
    private func locked<Success: Sendable>(
        _ work: @escaping @Sendable () throws(SystemError) -> Success
    ) async throws(StoreError) -> Success {
        try await lister.run(.beginning, in: directories) { () throws(SystemError) in
            // Open a new descriptor for the lock: a shared one does not exclude other tasks of this process.
            let directory = try files.openDirectory(".", in: directories.tokens)
            try files.lock(directory)
            return try work()
        }
    }
}
