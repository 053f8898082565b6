import Glibc
import POSIX

package import struct FoundationEssentials.Date

// What goes through the store one shard after the other, without tickets: it is no use of the sessions.

extension FileStore {
    /// Records that are read for a number on a page: some tens of milliseconds.
    private static let countingLimit = 2_000

    /// What a name in a shard leads to.
    private enum Content {
        case record([UInt8], used: Date)
        /// The file of another user, something other than a file, or a file of a size that no record has.
        case unusable
        /// The file was removed since its name was read.
        case nothing
    }

    private func content(of name: String, in shard: borrowing FileDescriptor) throws(SystemError) -> Content {
        do {
            let file = try files.openFile(name, in: shard)
            let status = try files.status(file)
            return try contents(of: file, status: status).map { .record($0, used: status.modificationDate) }
                ?? .unusable
        } catch {
            switch error.number {
            case ENOENT: return .nothing
            case ELOOP, ENXIO, EACCES: return .unusable
            default: throw error
            }
        }
    }

    /// Visits each name in a shard; none if the shard does not exist yet.
    private func forEachName(
        in shard: Int,
        _ visit: (_ file: String, _ directory: borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        guard let directory = try files.openDirectoryIfPresent(RecordName.shard(shard), in: directories.sessions)
        else { return }
        for file in try files.names(in: directory) { try visit(file, directory) }
    }

    /// Visits the name of each record in a shard.
    private func forEachRecord(
        in shard: Int,
        _ visit: (_ file: String, _ directory: borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        try forEachName(in: shard) { file, directory throws(SystemError) in
            if RecordName.isFile(file) { try visit(file, directory) }
        }
    }

    /// The header of a member's record, and its last use; nil for every other file.
    private func header(
        _ name: String,
        in shard: borrowing FileDescriptor,
        of member: Member
    ) throws(SystemError) -> (header: RecordHeader, used: Date)? {
        guard case .record(let bytes, let used) = try content(of: name, in: shard),
            case .header(let header, _) = RecordHeader.read(bytes), header.identity.member == member
        else { return nil }
        return (header, used)
    }
}

// MARK: - The sessions of a member

extension FileStore {
    /// Reads the header of every record, on a thread of its own; nil if there are too many.
    package func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        try await counting.run(.beginning, in: directories) { () throws(SystemError) in
            var (own, all) = (0, 0)
            for shard in 0..<RecordName.shardCount where all <= Self.countingLimit {
                try forEachRecord(in: shard) { file, directory throws(SystemError) in
                    all += 1
                    guard all <= Self.countingLimit, let found = try header(file, in: directory, of: member),
                        now < found.header.expires, now.timeIntervalSince(found.used) < idleLimit
                    else { return }
                    own += 1
                }
            }
            return all <= Self.countingLimit ? own : nil
        }
    }

    /// Reads the header of every record, on a thread of its own: about two seconds for 100,000 sessions.
    ///
    /// Removals run one after the other, and only a few wait. A record that cannot be read or removed does not stop the
    /// removal of the others.
    package func removeAll(of member: Member) async throws(StoreError) -> Int {
        try await forgetting.run(.beginning, in: directories) { () throws(SystemError) in
            var count = 0
            var failure: SystemError?
            for shard in 0..<RecordName.shardCount {
                var records: [String] = []
                do throws(SystemError) {
                    try forEachRecord(in: shard) { file, directory throws(SystemError) in
                        do throws(SystemError) {
                            if try header(file, in: directory, of: member) != nil { records.append(file) }
                        } catch {
                            failure = failure ?? error
                        }
                    }
                    count += try unlink(records, in: shard, failure: &failure)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return count
        }
    }

    /// Removes records from a shard durably; a failure that concerns one record is noted.
    private func unlink(_ records: [String], in shard: Int, failure: inout SystemError?) throws(SystemError) -> Int {
        guard !records.isEmpty,
            let directory = try files.openDirectoryIfPresent(RecordName.shard(shard), in: directories.sessions)
        else { return 0 }
        // Without the lock, an update between its check and its rename would bring back a record removed here.
        try files.lock(directory)
        defer { try? files.unlock(directory) }
        var count = 0
        for record in records {
            do throws(SystemError) {
                try files.unlink(record, in: directory)
                count += 1
            } catch {
                // Another process may have removed it.
                if error.number != ENOENT { failure = failure ?? error }
            }
        }
        try files.synchronize(directory)
        return count
    }
}

// MARK: - Administration

extension FileStore: AdministeredStore {
    /// Reads on the caller's thread, because it is for a command that has nothing else to do.
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        try directories.refresh()
        return try asStoreError { () throws(SystemError) in
            var list = SessionList()
            try forEachRecord(in: shard) { file, directory throws(SystemError) in
                guard let id = SessionID(digits: RecordName.shard(shard) + file) else { return }
                switch try content(of: file, in: directory) {
                case .record(let bytes, let used): list.add(id, bytes, used: used, now: now, idleLimit: idleLimit)
                case .unusable: list.add(id, [], used: now, now: now, idleLimit: idleLimit)
                case .nothing: break
                }
            }
            return list
        }
    }

    package func remove(_ ids: [SessionID]) async throws(StoreError) -> Int {
        let shards = Dictionary(grouping: ids, by: \.shard)
        return try await forgetting.run(.beginning, in: directories) { () throws(SystemError) in
            var count = 0
            var failure: SystemError?
            for (shard, ids) in shards {
                count += try unlink(ids.map { RecordName(hash: $0.bytes).file }, in: shard, failure: &failure)
            }
            if let failure { throw failure }
            return count
        }
    }

    package var messageAboutForeignRecords: String? {
        ForeignFiles.message(directories.path, owner: owner, files: files)
    }
}

// MARK: - Sweeping

extension FileStore {
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        try await sweeping.run(.beginning, in: directories) { () throws(SystemError) in
            var counts = SweepCounts()
            // A file that cannot be removed is left to the next sweep.
            try forEachName(in: shard) { file, directory throws(SystemError) in
                if RecordName.isFile(file) {
                    try? sweep(file, in: directory, now: now, counts: &counts)
                } else if files.removeIfAbandoned(file, in: directory, now: now) {
                    counts.strays += 1
                }
            }
            return counts
        }
    }

    private func sweep(
        _ name: String,
        in shard: borrowing FileDescriptor,
        now: Date,
        counts: inout SweepCounts
    ) throws(SystemError) {
        switch try content(of: name, in: shard) {
        case .nothing: break
        case .unusable: counts.damaged += 1
        case .record(let bytes, let used):
            let isIdle = now.timeIntervalSince(used) >= idleLimit
            switch RecordHeader.read(bytes) {
            case .newer: counts.newer += 1
            case .header(let header, _) where now >= header.expires:
                if try remove(name, in: shard, unlessUsedSince: used) { counts.expired += 1 }
            case _ where isIdle:
                if try remove(name, in: shard, unlessUsedSince: used) { counts.idle += 1 }
            case .header: counts.live += 1
            case .damaged: counts.damaged += 1
            }
        }
    }

    /// Removes a file; false if it was used or replaced since its content was read.
    private func remove(
        _ name: String,
        in shard: borrowing FileDescriptor,
        unlessUsedSince used: Date
    ) throws(SystemError) -> Bool {
        try files.lock(shard)
        defer { try? files.unlock(shard) }
        // A record that replaces another one was used later.
        guard try files.status(name, in: shard).modificationDate == used else { return false }
        try files.unlink(name, in: shard)
        return true
    }
}

// MARK: - Moving

extension FileStore: MovableStore {
    package func records(shard: Int) async throws(StoreError) -> (records: [StoredRecord], unknown: Int) {
        try asStoreError { () throws(SystemError) in
            var (records, unknown): ([StoredRecord], Int) = ([], 0)
            try forEachRecord(in: shard) { file, directory throws(SystemError) in
                switch try content(of: file, in: directory) {
                case .nothing: return
                case .unusable: unknown += 1
                case .record(let bytes, let used):
                    let id = RecordName(shard: RecordName.shard(shard), file: file).bytes
                    if let record = StoredRecord(id: id, bytes: bytes, used: used) {
                        records.append(record)
                    } else {
                        unknown += 1
                    }
                }
            }
            return (records, unknown)
        }
    }

    /// Adds records that are missing; an existing file is newer than every copy of it.
    package func add(_ records: [StoredRecord], shard: Int, isComplete: Bool) async throws(StoreError) {
        try asStoreError { () throws(SystemError) in
            guard !records.isEmpty else { return }
            let directory = try files.openOrMakeDirectory(RecordName.shard(shard), in: directories.sessions)
            for record in records {
                let name = RecordName(hash: record.id).file
                _ = try files.publish(record.bytes, as: name, modified: record.used, in: directory)
            }
        }
    }

    package func erase(_ records: [StoredRecord], shard: Int) async throws(StoreError) {
        try asStoreError { () throws(SystemError) in
            var failure: SystemError?
            _ = try unlink(records.map { RecordName(hash: $0.id).file }, in: shard, failure: &failure)
            if let failure { throw failure }
        }
    }
}
