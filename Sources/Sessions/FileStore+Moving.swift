import POSIX

extension FileStore: MovableStore {
    package func records(shard: Int) async throws(StoreError) -> (records: [StoredRecord], unknown: Int) {
        try asStoreError { () throws(SystemError) in
            let name = RecordName.shard(shard)
            var (records, unknown): ([StoredRecord], Int) = ([], 0)
            guard let directory = try files.openDirectoryIfPresent(name, in: directories.sessions) else {
                return ([], 0)
            }
            for file in try files.names(in: directory) where RecordName.isFile(file) {
                // Removed since it was listed: the session has ended.
                guard let open = try? files.openFile(file, in: directory) else { continue }
                let status = try files.status(open)
                if let bytes = try contents(of: open, status: status),
                    let record = StoredRecord(
                        id: RecordName(shard: name, file: file).bytes,
                        bytes: bytes,
                        used: status.modificationDate
                    )
                {
                    records.append(record)
                } else {
                    unknown += 1
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
            guard let directory = try files.openDirectoryIfPresent(RecordName.shard(shard), in: directories.sessions)
            else {
                return
            }
            try files.lock(directory)
            for record in records { try? files.unlink(RecordName(hash: record.id).file, in: directory) }
            try files.unlock(directory)
            try files.synchronize(directory)
        }
    }
}
