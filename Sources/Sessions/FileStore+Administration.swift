import Glibc
import POSIX

package import struct FoundationEssentials.Date

extension FileStore: AdministeredStore {
    /// Reads on the caller's thread, because it is for a command that has nothing else to do.
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        try directories.refresh()
        return try asStoreError { () throws(SystemError) in
            var list = SessionList()
            let name = RecordName.shard(shard)
            guard let directory = try files.openDirectoryIfPresent(name, in: directories.sessions) else { return list }
            for file in try files.names(in: directory) {
                guard let id = SessionID(digits: name + file) else { continue }
                do throws(SystemError) {
                    let record = try files.openFile(file, in: directory)
                    let status = try files.status(record)
                    let bytes = try contents(of: record, status: status) ?? []
                    list.add(id, bytes, used: status.modificationDate, now: now, idleLimit: idleLimit)
                } catch  where error.number == EACCES {
                    list.add(id, [], used: now, now: now, idleLimit: idleLimit)
                } catch  where error.call == FileSystem.Call.open.rawValue {
                    // The file was removed meanwhile, or is not one of the store.
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
                let name = RecordName.shard(shard)
                guard let directory = try files.openDirectoryIfPresent(name, in: directories.sessions) else {
                    continue
                }
                let records = ids.map { RecordName(hash: $0.bytes).file }
                count += try unlink(records, in: directory, failure: &failure)
            }
            if let failure { throw failure }
            return count
        }
    }
}
