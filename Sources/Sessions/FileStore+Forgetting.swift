import Glibc
import POSIX

package import struct FoundationEssentials.Date

extension FileStore {
    /// Reads the header of every record, on a thread of its own; nil if there are too many.
    package func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        try await counting.run(.beginning, in: directories) { () throws(SystemError) in
            var (own, all) = (0, 0)
            for shard in 0..<Self.shardCount {
                let name = RecordName.shard(shard)
                guard let shard = try files.openDirectoryIfPresent(name, in: directories.sessions) else { continue }
                let records = try files.names(in: shard).filter(RecordName.isFile)
                all += records.count
                guard all <= Self.countingLimit else { return nil }
                own += try count(of: member, among: records, in: shard, now: now)
            }
            return own
        }
    }

    /// Records that are read for a number on a page: some tens of milliseconds.
    private static let countingLimit = 2_000

    private func count(
        of member: Member,
        among records: [String],
        in shard: borrowing FileDescriptor,
        now: Date
    ) throws(SystemError) -> Int {
        var count = 0
        for record in records {
            guard let (header, used) = try header(of: record, in: shard), header.identity.member == member,
                now < header.expires, now.timeIntervalSince(used) < idleLimit
            else { continue }
            count += 1
        }
        return count
    }

    /// Reads the header of every record, on a thread of its own: about two seconds for 100,000 sessions.
    ///
    /// Removals run one after the other, and only a few wait. A record that cannot be read or removed does not stop the
    /// removal of the others.
    package func removeAll(of member: Member) async throws(StoreError) -> Int {
        try await forgetting.run(.beginning, in: directories) { () throws(SystemError) in
            var count = 0
            var failure: SystemError?
            for shard in 0..<Self.shardCount {
                do throws(SystemError) {
                    count += try removeAll(of: member, in: RecordName.shard(shard), failure: &failure)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return count
        }
    }

    /// Removes a member's records from a shard durably; a failure that concerns one record is noted.
    private func removeAll(
        of member: Member,
        in name: String,
        failure: inout SystemError?
    ) throws(SystemError) -> Int {
        guard let shard = try files.openDirectoryIfPresent(name, in: directories.sessions) else { return 0 }
        var records: [String] = []
        for file in try files.names(in: shard) where RecordName.isFile(file) {
            do throws(SystemError) {
                if try isRecord(file, in: shard, of: member) { records.append(file) }
            } catch {
                failure = failure ?? error
            }
        }
        return try unlink(records, in: shard, failure: &failure)
    }

    /// Removes records from a shard durably; a failure that concerns one record is noted.
    func unlink(
        _ records: [String],
        in shard: borrowing FileDescriptor,
        failure: inout SystemError?
    ) throws(SystemError) -> Int {
        guard !records.isEmpty else { return 0 }
        // Without the lock, an update between its check and its rename would bring back a record removed here.
        try files.lock(shard)
        defer { try? files.unlock(shard) }
        var count = 0
        for record in records {
            do throws(SystemError) {
                try files.unlink(record, in: shard)
                count += 1
            } catch {
                // Another process may have removed it.
                if error.number != ENOENT { failure = failure ?? error }
            }
        }
        try files.synchronize(shard)
        return count
    }

    /// Whether a file is a record of a member; false for a damaged file and for one of another user.
    private func isRecord(
        _ name: String,
        in shard: borrowing FileDescriptor,
        of member: Member
    ) throws(SystemError) -> Bool {
        try header(of: name, in: shard)?.header.identity.member == member
    }

    /// The header of a record and its last use; nil for what is damaged or of another user.
    private func header(
        of name: String,
        in shard: borrowing FileDescriptor
    ) throws(SystemError) -> (header: RecordHeader, used: Date)? {
        do {
            let file = try files.openFile(name, in: shard)
            let status = try files.status(file)
            guard let bytes = try contents(of: file, status: status),
                case .header(let header, _) = RecordHeader.read(bytes)
            else { return nil }
            return (header, status.modificationDate)
        } catch {
            // Removed meanwhile, or not a file of the store: a symbolic link, a FIFO or another user's.
            guard [ENOENT, ELOOP, ENXIO, EACCES].contains(error.number) else { throw error }
            return nil
        }
    }
}
