import Encoding
import Glibc
package import POSIX

import struct FoundationEssentials.Date

// What the store does with several system calls.

// MARK: - Durable files

extension FileSystem {
    /// Writes a file under a temporary name; if it is durable, it survives a loss of power.
    ///
    /// - Returns: the temporary name, which the caller links or renames and then removes.
    func writeTemporary(
        _ bytes: [UInt8],
        modified: Date? = nil,
        isDurable: Bool = true,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) -> String {
        let name = try TemporaryName.make(self)
        let file = try createFile(name, in: directory)
        do {
            try write(bytes, to: file)
            if let modified { try setModified(modified, of: file) }
            if isDurable { try synchronize(file) }
            return name
        } catch {
            try? unlink(name, in: directory)
            throw error
        }
    }

    /// Creates a complete file, as a rule durably; if that fails, nothing of it remains.
    ///
    /// - Returns: false if the name is taken.
    func publish(
        _ bytes: [UInt8],
        as name: String,
        modified: Date? = nil,
        isDurable: Bool = true,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) -> Bool {
        let temporary = try writeTemporary(bytes, modified: modified, isDurable: isDurable, in: directory)
        defer { try? unlink(temporary, in: directory) }
        do {
            try link(temporary, as: name, in: directory)
        } catch {
            guard error.number == EEXIST else { throw error }
            return false
        }
        guard isDurable else { return true }
        do {
            try synchronize(directory)
        } catch {
            try? unlink(name, in: directory)
            throw error
        }
        return true
    }

    /// Writes a complete file durably, in place of the file that has its name, if any.
    func overwrite(
        _ name: String,
        with bytes: [UInt8],
        in directory: borrowing FileDescriptor
    ) throws(SystemError) {
        let temporary = try writeTemporary(bytes, in: directory)
        do {
            try rename(temporary, to: name, in: directory)
        } catch {
            try? unlink(temporary, in: directory)
            throw error
        }
        try synchronize(directory)
    }

    /// Writes a complete file durably, in place of the file that has its name, if any.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: The content.
    ///   - path: The path of the directory. It may be `.` in a directory whose parent this user cannot enter.
    /// - Throws: `SystemError`; then the file is as before, unless only the last synchronization failed.
    package func overwrite(_ name: String, with bytes: [UInt8], inDirectory path: String) throws(SystemError) {
        let directory = try openDirectory(path, in: .working)
        try overwrite(name, with: bytes, in: directory)
    }

    /// Removes an unfinished file that is more than an hour old, because its writer has abandoned it.
    ///
    /// - Returns: whether the file was removed; false for every file that is not unfinished.
    func removeIfAbandoned(_ name: String, in directory: borrowing FileDescriptor, now: Date) -> Bool {
        guard TemporaryName.matches(name), let status = try? status(name, in: directory),
            now.timeIntervalSince(status.modificationDate) > 3_600
        else { return false }
        return (try? unlink(name, in: directory)) != nil
    }

    /// Opens a directory, and first creates it durably if it does not exist.
    func openOrMakeDirectory(
        _ name: String,
        in parent: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        if let directory = try openDirectoryIfPresent(name, in: parent) { return directory }
        do {
            try makeDirectory(name, in: parent)
        } catch {
            // Another process may have been faster.
            guard error.number == EEXIST else { throw error }
        }
        try synchronize(parent)
        return try openDirectory(name, in: parent)
    }
}

// MARK: - Files of this user

extension FileSystem {
    /// The bytes of an open file; nil unless it is a regular file of the user whose size is possible for a record.
    func contents(
        of file: borrowing FileDescriptor,
        _ status: FileStatus,
        owner: UInt32,
        sizes: ClosedRange<Int>
    ) throws(SystemError) -> [UInt8]? {
        guard status.kind == .regular, status.owner == owner, sizes ~= status.size else { return nil }
        let bytes = try read(file, count: status.size)
        return bytes.count == status.size ? bytes : nil
    }

    /// The bytes of a file and the time of its modification; nil if nothing has the name.
    ///
    /// There are no bytes if the file cannot be a record: it belongs to another user, it is not a regular file, or its size is
    /// not possible. The time is then in the distant future, so that the file never seems idle.
    func record(
        _ name: String,
        in directory: borrowing FileDescriptor,
        owner: UInt32,
        sizes: ClosedRange<Int>
    ) throws(SystemError) -> (bytes: [UInt8], modified: Date)? {
        do {
            let file = try openFile(name, in: directory)
            let status = try self.status(file)
            let bytes = try contents(of: file, status, owner: owner, sizes: sizes)
            if let bytes { return (bytes, status.modificationDate) }
        } catch {
            switch error.number {
            case ENOENT: return nil
            case ELOOP, ENXIO: break
            default: throw error
            }
        }
        return ([], .distantFuture)
    }
}

// MARK: - Names that may be missing

extension FileSystem {
    /// Opens a directory; nil if it does not exist.
    func openDirectoryIfPresent(
        _ name: String,
        in parent: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor? {
        do {
            return try openDirectory(name, in: parent)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// The status of a name; nil if it does not exist.
    func statusIfPresent(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileStatus? {
        do {
            return try status(name, in: parent)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }
}

/// Names of unfinished files; the sweeper recognizes them by their prefix.
enum TemporaryName {
    private static let prefix = ".new-"

    static func make(_ files: FileSystem) throws(SystemError) -> String {
        prefix + Base64URL.encode(try files.random(16))
    }

    static func matches(_ name: String) -> Bool {
        name.hasPrefix(prefix)
    }
}
