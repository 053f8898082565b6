import Glibc

package import struct FoundationEssentials.Date

extension FileStore {
    /// How many parts a store is swept in.
    package static let shardCount = 256

    /// Removes what has ended from one part of the store; others use it meanwhile.
    ///
    /// - Parameters:
    ///   - shard: which part, from 0 to `shardCount` - 1.
    ///   - now: what counts as the present.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the part cannot be listed; what cannot be removed is left for the next sweep.
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        var counts = try await sweeping.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in
                var counts = SweepCounts()
                try sweepSessions(RecordName.shard(shard), now: now, counts: &counts)
                return counts
            }
        }
        // All of them each time: they are few, and a form is removed as soon as its time is over.
        counts.unclaimed += try await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in try sweepKept(now: now) }
        }
        return counts
    }

    /// Removes the marks of states that have expired, in all parts of the store, and counts the others.
    ///
    /// All of them, because states live for minutes where sessions live for days: a round over the parts takes too long.
    ///
    /// - Returns: what was removed.
    /// - Throws: `StoreError` if the marks cannot be listed.
    package func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts {
        try await sweeping.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in
                let start = spentLedger.added
                var counts = SweepCounts()
                var rest = 0
                for shard in 0..<Self.shardCount {
                    rest += try sweepMarks(RecordName.shard(shard), now: now, counts: &counts)
                }
                spentLedger.recount(rest, since: start, free: try files.freeFiles(in: directories.spent))
                return counts
            }
        }
    }

    private func sweepSessions(_ name: String, now: Date, counts: inout SweepCounts) throws(SystemError) {
        guard let shard = try openShard(name, in: directories.sessions) else { return }
        for file in try files.names(in: shard) {
            if RecordName.isFile(file) {
                try? sweepRecord(file, in: shard, now: now, counts: &counts)
            } else if TemporaryName.matches(file),
                let status = try? files.status(file, in: shard),
                now.timeIntervalSince(status.modified) > 3_600,
                isDone({ () throws(SystemError) in try files.unlink(file, in: shard) })
            {
                counts.strays += 1
            }
        }
    }

    private func sweepRecord(
        _ name: String,
        in shard: borrowing FileDescriptor,
        now: Date,
        counts: inout SweepCounts
    ) throws(SystemError) {
        let file = try files.openFile(name, in: shard)
        let status = try files.status(file)
        guard let bytes = try contents(of: file, status: status) else {
            counts.damaged += 1
            return
        }
        let isIdle = now.timeIntervalSince(status.modified) >= idleLimit
        switch RecordHeader.read(bytes) {
        case .newer: counts.newer += 1
        case .header(let header, _) where now >= header.expires:
            if try removeUnlessChanged(name, in: shard, since: status) { counts.expired += 1 }
        case _ where isIdle:
            if try removeUnlessChanged(name, in: shard, since: status) { counts.idle += 1 }
        case .header: counts.live += 1
        case .damaged: counts.damaged += 1
        }
    }

    /// Removes a name if it still stands for the file that was judged, and nobody used that since.
    private func removeUnlessChanged(
        _ name: String,
        in shard: borrowing FileDescriptor,
        since judged: FileStatus
    ) throws(SystemError) -> Bool {
        try files.lock(shard)
        defer { try? files.unlock(shard) }
        let status = try files.status(name, in: shard)
        guard status.identity == judged.identity, status.modified == judged.modified else { return false }
        try files.unlink(name, in: shard)
        return true
    }

    /// Returns how many marks are left in a part.
    private func sweepMarks(_ name: String, now: Date, counts: inout SweepCounts) throws(SystemError) -> Int {
        guard let shard = try openShard(name, in: directories.spent) else { return 0 }
        var rest = 0
        for file in try files.names(in: shard) where RecordName.isFile(file) {
            if let status = try? files.status(file, in: shard),
                status.modified < now,
                isDone({ () throws(SystemError) in try files.unlink(file, in: shard) })
            {
                counts.forgotten += 1
            } else {
                rest += 1
            }
        }
        return rest
    }

    /// Nil if nothing was ever put there.
    private func openShard(
        _ name: String,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor? {
        do {
            return try files.openDirectory(name, in: directory)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    private func isDone(_ body: () throws(SystemError) -> Void) -> Bool {
        (try? body()) != nil
    }
}
