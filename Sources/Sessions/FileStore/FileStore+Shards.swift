import Glibc
import POSIX

package import struct FoundationEssentials.Date

// What needs no tickets, most of it one shard after the other: it does not count as use of the sessions.

extension FileStore {
    /// The content of a file and its last use, as `FileSystem.record` returns them.
    private func content(
        of name: String,
        in shard: borrowing FileDescriptor
    ) throws(SystemError) -> (bytes: [UInt8], modified: Date)? {
        do throws(SystemError) {
            return try files.record(name, in: shard, owner: owner, sizes: Self.sizes)
        } catch {
            // The file of another user.
            guard error.number == EACCES else { throw error }
            return ([], .distantFuture)
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

    /// The records in a shard; a failure that concerns one record is noted.
    private func stored(in shard: Int, _ failure: inout SystemError?) throws(SystemError) -> [ReadRecord] {
        var records: [ReadRecord] = []
        try forEachName(in: shard) { file, directory throws(SystemError) in
            do throws(SystemError) {
                guard RecordName.isFile(file), let (bytes, used) = try content(of: file, in: directory) else { return }
                records.append(ReadRecord(RecordName(shard: RecordName.shard(shard), file: file), bytes, used: used))
            } catch {
                failure = failure ?? error
            }
        }
        return records
    }

    func stored(in shard: Int) throws(SystemError) -> [ReadRecord] {
        var failure: SystemError?
        let records = try stored(in: shard, &failure)
        if let failure { throw failure }
        return records
    }
}

// MARK: - Listing

extension FileStore {
    /// Reads every record to find those of a member, on a thread of its own, unless there are too many.
    func sessions(of member: Member) async throws(StoreError) -> ReadRecords {
        try await counting.run(.beginning, in: directories) { () throws(SystemError) in
            var (own, count) = ([ReadRecord](), 0)
            for shard in 0..<RecordName.shardCount {
                let all = try stored(in: shard)
                count += all.count
                guard count <= RecordSelection.memberLimit else { return ReadRecords([], isComplete: false) }
                own += all.filter { $0.header?.identity.member == member }
            }
            return ReadRecords(own)
        }
    }

    /// What is wrong with records that belong to another user, and what to do; nil if there are none.
    package var messageAboutForeignRecords: String? {
        ForeignFiles.message(directories.path, owner: owner, files: files).map { "\($0)" }
    }
}

// MARK: - Removing

extension FileStore {
    package func remove(_ choice: RecordChoice) async throws(StoreError) -> Int {
        switch choice {
        case .sessions(.ids(let ids)):
            try directories.refresh()
            var shards: [Int: [String]] = [:]
            // Signing out without a session must not occupy the writers.
            for id in ids where try exists(id.name) { shards[id.shard, default: []].append(id.name.file) }
            guard !shards.isEmpty else { return 0 }
            let found = shards
            return try await writers.run(.underway, in: directories) { () throws(SystemError) in
                try unlink { shard, _ in found[shard] ?? [] }
            }
        case .sessions(.all(let member)): return try await remove { $0.member == member }
        case .sessions(.signedOut(let notice)): return try await remove(notice.ends)
        case .tokens(let tokens): return try await remove(tokens)
        }
    }

    /// Removes the records with some identities.
    ///
    /// Reads the header of every record: about two seconds for 100,000 sessions. Removals run one after the other, and only a
    /// few wait.
    private func remove(_ isChosen: @escaping @Sendable (Identity) -> Bool) async throws(StoreError) -> Int {
        try await forgetting.run(.beginning, in: directories) { () throws(SystemError) in
            try unlink { shard, failure throws(SystemError) in
                try stored(in: shard, &failure).compactMap { record in
                    record.header.flatMap { isChosen($0.identity) ? record.name.file : nil }
                }
            }
        }
    }

    private func exists(_ name: RecordName) throws(StoreError) -> Bool {
        try asStoreError { () throws(SystemError) in
            try files.statusIfPresent(name.relativePath, in: directories.sessions) != nil
        }
    }

    /// Removes the records that a function finds in each shard, durably.
    ///
    /// A record that cannot be read or removed does not stop the removal of the others.
    private func unlink(
        _ records: (_ shard: Int, _ failure: inout SystemError?) throws(SystemError) -> [String]
    ) throws(SystemError) -> Int {
        var count = 0
        var failure: SystemError?
        for shard in 0..<RecordName.shardCount {
            do throws(SystemError) {
                count += try unlink(try records(shard, &failure), in: shard, failure: &failure)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Removes records from a shard durably; a failure that concerns one record is noted.
    private func unlink(_ records: [String], in shard: Int, failure: inout SystemError?) throws(SystemError) -> Int {
        guard !records.isEmpty,
            let directory = try files.openDirectoryIfPresent(RecordName.shard(shard), in: directories.sessions)
        else { return 0 }
        // Without the lock, an update between its check and its rename would bring back a record removed here.
        try files.lock(directory)
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
        try files.unlock(directory)
        try files.synchronize(directory)
        return count
    }
}

// MARK: - Sweeping

extension FileStore {
    package func sweep(_ part: SweptPart, now: Date) async throws(StoreError) -> SweptRecords {
        switch part {
        case .records(let kind): return try await sweep(kind, now: now)
        case .shard(let shard, let idle):
            return try await sweeping.run(.beginning, in: directories) { () throws(SystemError) in
                var swept = SweptRecords()
                // A file that cannot be removed is left to the next sweep.
                try forEachName(in: shard) { file, directory throws(SystemError) in
                    if RecordName.isFile(file) {
                        try? sweep(file, in: directory, now: now, idle: idle, counts: &swept.counts)
                    } else if files.removeIfAbandoned(file, in: directory, now: now) {
                        swept.counts.strays += 1
                    }
                }
                return swept
            }
        }
    }

    private func sweep(
        _ name: String,
        in shard: borrowing FileDescriptor,
        now: Date,
        idle: Date,
        counts: inout SweepCounts
    ) throws(SystemError) {
        guard let (bytes, used) = try content(of: name, in: shard) else { return }
        switch RecordHeader.read(bytes) {
        case .newer: counts.newer += 1
        case .header(let header, _) where now >= header.expires:
            if try remove(name, in: shard, unlessUsedSince: used) { counts.expired += 1 }
        case _ where used <= idle:
            if try remove(name, in: shard, unlessUsedSince: used) { counts.idle += 1 }
        case .header: counts.live += 1
        case .damaged: counts.damaged += 1
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
