import Glibc
import POSIX

package import struct FoundationEssentials.Date

extension FileStore {
    /// The number of shards: directories that each contain a part of the sessions or marks.
    package static let shardCount = 256

    /// Removes ended sessions from one shard of the store, while others use the store.
    ///
    /// - Parameters:
    ///   - shard: the number of the shard, from 0 to `shardCount` - 1.
    ///   - now: the current time.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the shard cannot be listed. A file that cannot be removed is left to the next sweep.
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        var counts = try await sweeping.run(.beginning, in: directories) { () throws(SystemError) in
            var counts = SweepCounts()
            try sweepSessions(RecordName.shard(shard), now: now, counts: &counts)
            return counts
        }
        // Once a round: tokens end after days.
        if shard == 0 { counts.expiredTokens += try await personalTokens.sweep(now: now) }
        return counts
    }

    private func sweepSessions(_ name: String, now: Date, counts: inout SweepCounts) throws(SystemError) {
        guard let shard = try files.openDirectoryIfPresent(name, in: directories.sessions) else { return }
        for file in try files.names(in: shard) {
            if RecordName.isFile(file) {
                do throws(SystemError) {
                    try sweepRecord(file, in: shard, now: now, counts: &counts)
                } catch {
                    // A record of another user.
                    if error.number == EACCES { counts.damaged += 1 }
                }
            } else if TemporaryName.matches(file),
                let status = try? files.status(file, in: shard),
                now.timeIntervalSince(status.modificationDate) > 3_600,
                (try? files.unlink(file, in: shard)) != nil
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
        let isIdle = now.timeIntervalSince(status.modificationDate) >= idleLimit
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

    /// Removes a file; false if it was used or replaced since its status was read.
    private func removeUnlessChanged(
        _ name: String,
        in shard: borrowing FileDescriptor,
        since judged: FileStatus
    ) throws(SystemError) -> Bool {
        try files.lock(shard)
        defer { try? files.unlock(shard) }
        let status = try files.status(name, in: shard)
        guard status.identity == judged.identity, status.modificationDate == judged.modificationDate
        else { return false }
        try files.unlink(name, in: shard)
        return true
    }
}
