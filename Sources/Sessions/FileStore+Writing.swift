import Glibc

package import struct FoundationEssentials.Date

extension FileStore {
    package func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        // One attempt is enough unless the random bytes repeat; a ticket must not be given twice.
        for _ in 0..<3 {
            let ticket = try Ticket(random: random)
            let keys = TicketKeys(ticket)
            let record = try Record.seal(session, key: keys.key, nonce: random(SealedBytes.nonceCount))
            let isNew = try await writers.run(.underway) { () throws(StoreError) in
                try directories.refresh()
                return try asStoreError { () throws(SystemError) in try add(record, name: keys.name, used: now) }
            }
            if isNew { return ticket }
        }
        throw StoreError(.noRandom, detail: "random bytes repeat")
    }

    package func remove(_ ticket: Ticket) async throws(StoreError) {
        let name = TicketKeys(ticket).name
        // Whoever has no session must not keep the writers busy by signing out.
        guard try exists(name) else { return }
        try await writers.run(.underway) { () throws(StoreError) in
            try directories.refresh()
            try asStoreError { () throws(SystemError) in try delete(name) }
        }
    }

    private func exists(_ name: RecordName) throws(StoreError) -> Bool {
        try directories.refresh()
        do {
            _ = try files.status(name.relativePath, in: directories.sessions)
            return true
        } catch {
            guard error.number == ENOENT else { throw StoreError(error) }
            return false
        }
    }

    /// False if the name is taken.
    private func add(_ record: [UInt8], name: RecordName, used: Date) throws(SystemError) -> Bool {
        let shard = try files.openOrMakeDirectory(name.shard, in: directories.sessions)
        return try files.publish(record, as: name.file, modified: used, in: shard)
    }

    private func delete(_ name: RecordName) throws(SystemError) {
        do {
            let shard = try files.openDirectory(name.shard, in: directories.sessions)
            // Between the look and the rename of an update, a name removed here would come back.
            try files.lock(shard)
            try files.unlink(name.file, in: shard)
            try files.unlock(shard)
            try files.synchronize(shard)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
    }
}
