import Glibc

package import struct FoundationEssentials.Date

extension FileStore: SessionStore {
    /// Reads on the caller's thread, which costs less than handing the work to another.
    package func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        let keys = TicketKeys(ticket)
        guard let file = try openRecord(keys.name) else { return nil }
        return try liveSession(in: file, keys: keys, now: now)
    }

    /// Nil if there is no such file, or something else in its place.
    func openRecord(_ name: RecordName) throws(StoreError) -> FileDescriptor? {
        do {
            return try files.openFile(name, in: directories.sessions)
        } catch {
            guard error.number == ENOENT else { return try explain(error, name: name) }
        }
        guard try directories.refreshNowAndThen() else { return nil }
        do {
            return try files.openFile(name, in: directories.sessions)
        } catch {
            return error.number == ENOENT ? nil : try explain(error, name: name)
        }
    }

    /// Tells what concerns one record from what concerns the store.
    private func explain(_ error: SystemError, name: RecordName) throws(StoreError) -> FileDescriptor? {
        switch error.number {
        case ELOOP, ENOTDIR, ENXIO: return nil
        case EACCES:
            // Whoever may look at the file but not read it has a strange file; otherwise the directory is lost.
            if (try? files.status(name.relativePath, in: directories.sessions)) != nil { return nil }
            throw StoreError(error)
        default: throw StoreError(error)
        }
    }

    /// The session of an open record, if it is one and has not ended; marks its use.
    func liveSession(
        in file: borrowing FileDescriptor,
        keys: TicketKeys,
        now: Date
    ) throws(StoreError) -> Session? {
        do {
            let status = try files.status(file)
            guard let bytes = try contents(of: file, status: status),
                let session = Record.open(bytes, key: keys.key),
                now < session.expires,
                now.timeIntervalSince(status.modified) < idleLimit
            else { return nil }
            // Also if the time lies ahead, because the clock was wrong when it was set.
            if abs(now.timeIntervalSince(status.modified)) >= 60 {
                // A store that became read-only still has its sessions, up to the idle limit.
                try? files.setModified(now, of: file)
            }
            return session
        } catch {
            throw StoreError(error)
        }
    }

    /// Nil for anything but a regular file of ours of a size that a record has.
    func contents(of file: borrowing FileDescriptor, status: FileStatus) throws(SystemError) -> [UInt8]? {
        guard status.isRegular, status.owner == owner, 1...Record.maximumByteCount ~= status.size else { return nil }
        let bytes = try files.read(file, count: status.size)
        return bytes.count == status.size ? bytes : nil
    }
}
