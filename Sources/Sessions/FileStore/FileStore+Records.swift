import Glibc
import POSIX

import struct FoundationEssentials.Date

extension FileStore {
    /// The possible sizes of a form: the setting `SIGNIN_KEPT_BODY` is at most 100 MiB.
    private static let formSizes = 0...101 << 20
    /// Seconds after which a file with a temporary name belongs to a program that has ended.
    private static let patience = 120.0
    private static let ownerPrefix = "owner-"

    package func put(_ records: NewRecords) async throws(StoreError) -> Int {
        switch records {
        case .record(_, .state, let name, let ends):
            return try await writers.run(.beginning, in: directories) { () throws(SystemError) in
                let shard = try files.openOrMakeDirectory(name.shard, in: directories.spent)
                return try mark(name.file, in: shard, ends: ends) ? 1 : 0
            }
        case .record(let bytes, .form, let name, let ends):
            return try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
                try files.publish(bytes, as: name.flat, modified: ends, isDurable: false, in: directories.kept) ? 1 : 0
            }
        // An existing file is newer than every copy of it.
        case .sessions(let records, _):
            return try await writers.run(.underway, in: directories) { () throws(SystemError) in
                try records.count { record throws(SystemError) in
                    let shard = try files.openOrMakeDirectory(record.id.name.shard, in: directories.sessions)
                    return try files.publish(record.bytes, as: record.id.name.file, modified: record.used, in: shard)
                }
            }
        case .tokens(let tokens, let owners, let room): return try await add(tokens, owners, room)
        case .replacement(let owner):
            try await replace(owner)
            return 0
        }
    }

    /// Reads a mark, a token and named owners on the caller's thread, as a session is read.
    package func read(_ selection: RecordSelection) async throws(StoreError) -> ReadRecords {
        switch selection {
        case .record(.state, let name):
            let status = try asStoreError { () throws(SystemError) in
                try files.statusIfPresent(name.relativePath, in: directories.spent)
            }
            return ReadRecords(status == nil ? [] : [ReadRecord(name, [])])
        case .record(.form, let name):
            return try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
                let file = try files.record(name.flat, in: directories.kept, owner: owner, sizes: Self.formSizes)
                return ReadRecords(file.map { [ReadRecord(name, $0.bytes)] } ?? [])
            }
        case .token(let id): return ReadRecords(try token(id))
        // The files of all must be read to know their owners.
        case .tokens:
            return try await lister.run(.beginning, in: directories) { () throws(SystemError) in
                ReadRecords(try contents(files.names(in: directories.tokens)))
            }
        case .owners(let names?):
            return try asStoreError { () throws(SystemError) in ReadRecords(try owners(names)) }
        case .owners(nil):
            return try await lister.run(.beginning, in: directories) { () throws(SystemError) in
                ReadRecords(try contents(files.names(in: directories.tokens), prefix: Self.ownerPrefix))
            }
        // Only a command that has nothing else to do asks for this.
        case .shard(let shard, _):
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in ReadRecords(try stored(in: shard)) }
        case .member(let member): return try await sessions(of: member)
        }
    }

    package func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
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
            try await sweeping.run(.beginning, in: directories) { () throws(SystemError) in
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
        return try files.record(temporary, in: directory, owner: owner, sizes: Self.formSizes)?.bytes
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
                swept.counts.expired += isUnfinished ? 0 : 1
            } else if !isUnfinished {
                swept.counts.live += 1
                // States are in shards, where names are shorter.
                guard let status, let form = RecordName(flat: name) else { continue }
                swept.forms.append(RecordEntry(name: form, byteCount: status.size, ends: status.modificationDate))
            }
        }
    }

    // MARK: - Tokens and their owners

    /// Adds tokens, and their owners before them.
    private func add(
        _ tokens: [TokenRecord],
        _ owners: [TokenOwner],
        _ room: TokenRoom?
    ) async throws(StoreError) -> Int {
        try await lockingTokens { () throws(SystemError) in
            if let room {
                let others = try contents(files.names(in: directories.tokens)).compactMap(TokenRecord.init)
                let owned = others.count { room.names.contains($0.owner) }
                guard others.count < room.total, owned < room.owned else { return 0 }
            }
            for owner in owners where try storedOwner(owner.name) == nil {
                try files.overwrite(Self.file(ofOwner: owner.name), with: owner.bytes, in: directories.tokens)
            }
            return try tokens.count { token throws(SystemError) in
                let (name, used) = (token.id.description, token.used ?? ReadRecord.unused)
                return try files.publish(token.bytes, as: name, modified: used, in: directories.tokens)
            }
        }
    }

    /// A token and its owner; none if the token is missing or damaged.
    private func token(_ id: PersonalTokenID) throws(StoreError) -> [ReadRecord] {
        let found = try storedToken(id)
        guard found.isEmpty, try directories.refreshAtMostOncePerSecond() else { return found }
        return try storedToken(id)
    }

    private func storedToken(_ id: PersonalTokenID) throws(StoreError) -> [ReadRecord] {
        try asStoreError { () throws(SystemError) in
            guard let file = try tokenContents(id.description) else { return [] }
            let record = ReadRecord(id.name, file.bytes, used: file.modified)
            guard let token = TokenRecord(record) else { return [] }
            return [record] + (try owners([token.owner]))
        }
    }

    private func storedOwner(_ name: [UInt8]) throws(SystemError) -> ReadRecord? {
        guard let file = try tokenContents(Self.file(ofOwner: name)), TokenOwner(bytes: file.bytes)?.name == name else {
            return nil
        }
        return ReadRecord(RecordName(hash: name), file.bytes)
    }

    private func tokenContents(_ name: String) throws(SystemError) -> (bytes: [UInt8], modified: Date)? {
        try files.record(name, in: directories.tokens, owner: owner, sizes: 0...65_536)
    }

    private static func file(ofOwner name: [UInt8]) -> String { ownerPrefix + RecordName(hash: name).flat }

    /// The tokens among the files of the directory, or the owners, without those that cannot be read.
    private func contents(_ files: [String], prefix: String = "") throws(SystemError) -> [ReadRecord] {
        var records: [ReadRecord] = []
        for file in files where file.hasPrefix(prefix) {
            let name = RecordName(flat: String(file.dropFirst(prefix.count)))
            guard let name, let (bytes, used) = try readable(file) else { continue }
            records.append(ReadRecord(name, bytes, used: used))
        }
        return records
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
        try await lockingTokens { () throws(SystemError) in
            let names = try files.names(in: directories.tokens)
            let tokens = try contents(names).compactMap(TokenRecord.init)
            let removed = tokens.filter(choice.contains)
            for token in removed { try files.unlink(token.id.description, in: directories.tokens) }
            let remaining = Set(tokens.filter { !choice.contains($0) }.map { Self.file(ofOwner: $0.owner) })
            var owners = Set(removed.map { Self.file(ofOwner: $0.owner) })
            switch choice {
            case .ids(_, let more): owners.formUnion(more.map(Self.file(ofOwner:)))
            case .ended(let now):
                for name in names { _ = files.removeIfAbandoned(name, in: directories.tokens, now: now) }
            }
            owners = owners.subtracting(remaining).intersection(names)
            for name in owners { try files.unlink(name, in: directories.tokens) }
            if !removed.isEmpty || !owners.isEmpty { try files.synchronize(directories.tokens) }
            // A program that ended while it added a token may have left an owner. Nobody knows the owner of an unreadable token.
            guard tokens.count == names.count(where: RecordName.isFlat) else { return removed.count }
            for name in names where name.hasPrefix(Self.ownerPrefix) {
                if !remaining.contains(name), !owners.contains(name) { try? files.unlink(name, in: directories.tokens) }
            }
            return removed.count
        }
    }

    /// The owners with some names.
    private func owners(_ names: [[UInt8]]) throws(SystemError) -> [ReadRecord] {
        var owners: [ReadRecord] = []
        for name in names { if let owner = try storedOwner(name) { owners.append(owner) } }
        return owners
    }

    private func replace(_ owner: TokenOwner) async throws(StoreError) {
        let name = Self.file(ofOwner: owner.name)
        // Most members own no token.
        guard try asStoreError({ () throws(SystemError) in try isPresent(name) }) else { return }
        try await lockingTokens { () throws(SystemError) in
            // Somebody may have revoked the last token meanwhile.
            if try isPresent(name) { try files.overwrite(name, with: owner.bytes, in: directories.tokens) }
        }
    }

    private func isPresent(_ name: String) throws(SystemError) -> Bool {
        try files.statusIfPresent(name, in: directories.tokens) != nil
    }

    /// Runs work while no other process changes the directory of tokens.
    private func lockingTokens<Success: Sendable>(
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
