import Glibc

import struct FoundationEssentials.Date

extension FileSystem {
    /// Writes a file that survives a loss of power, but has no name of its own yet.
    ///
    /// - Returns: the name to link or rename from, and to remove in the end.
    func writeTemporary(
        _ bytes: [UInt8],
        modified: Date? = nil,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) -> String {
        let name = try TemporaryName.make(self)
        let file = try createFile(name, in: directory)
        do {
            try write(bytes, to: file)
            if let modified { try setModified(modified, of: file) }
            try synchronize(file)
            return name
        } catch {
            try? unlink(name, in: directory)
            throw error
        }
    }

    /// Makes a complete file appear under a name, durably; nothing of it remains if that fails.
    ///
    /// - Returns: false if the name is taken.
    func publish(
        _ bytes: [UInt8],
        as name: String,
        modified: Date? = nil,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) -> Bool {
        let temporary = try writeTemporary(bytes, modified: modified, in: directory)
        defer { try? unlink(temporary, in: directory) }
        do {
            try link(temporary, as: name, in: directory)
        } catch {
            guard error.number == EEXIST else { throw error }
            return false
        }
        do {
            try synchronize(directory)
        } catch {
            try? unlink(name, in: directory)
            throw error
        }
        return true
    }

    /// Opens a directory, and makes it first, durably, if it is not there.
    func openOrMakeDirectory(
        _ name: String,
        in parent: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        do {
            return try openDirectory(name, in: parent)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
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
