import Glibc
import POSIX

import struct FoundationEssentials.Date

/// Every system call of this target, in the only file of it that is unsafe.
///
/// Names are looked up in an open directory, and their last part is never followed if it is a symbolic link.
package struct FileSystem: Sendable {
    /// Asked before every call: an error number to fail with, as a bad disk would, or nil to go on.
    private let fault: (@Sendable (Call) -> Int32?)?

    package init(fault: (@Sendable (Call) -> Int32?)? = nil) {
        self.fault = fault
    }

    /// Makes a call, and again if a signal interrupted it.
    @discardableResult
    func attempt(_ call: Call, _ body: () -> Int) throws(SystemError) -> Int {
        while true {
            if let number = fault?(call) { throw SystemError(call.rawValue, number) }
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR, call != .fsync else { throw SystemError(call.rawValue, number) }
        }
    }

    @discardableResult
    func attempt(_ call: Call, _ body: () -> Int32) throws(SystemError) -> Int32 {
        Int32(truncatingIfNeeded: try attempt(call) { Int(body()) })
    }

    /// The name of the user of this process.
    package static var currentUserName: String { User.current.name }

    /// At most 256 random bytes of the system; it does not give fewer than asked for.
    func random(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // unsafe because the array has the length that the call is told.
        try attempt(.random) { unsafe getentropy(&bytes, count) }
        return bytes
    }
}

// MARK: - Opening

extension FileSystem {
    private static let always = O_NOFOLLOW | O_CLOEXEC
    /// A FIFO does not make the opener wait.
    private static let reading = O_RDONLY | O_NONBLOCK | always

    func openDirectory(
        _ name: String,
        in parent: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | Self.always
        // unsafe because the string is a C string for the length of the call.
        return FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, flags) })
    }

    func openFile(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        // unsafe because the string is a C string for the length of the call.
        FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, Self.reading) })
    }

    /// Opens a record without allocating anything.
    func openFile(_ name: RecordName, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let (parent, path) = (parent.number, name.path)
        return FileDescriptor(
            try attempt(.open) {
                // unsafe because the path ends in NUL and stays on the stack until the call is over.
                unsafe path.span.withUnsafeBytes { bytes in
                    unsafe bytes.baseAddress.map { start in
                        unsafe openat(parent, start.assumingMemoryBound(to: CChar.self), Self.reading)
                    } ?? -1
                }
            }
        )
    }

    /// Creates a file that is not there yet, 0600 whatever the umask.
    func createFile(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | Self.always
        // unsafe because the string is a C string for the length of the call.
        let file = FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, flags, 0o600) })
        do {
            try attempt(.chmod) { fchmod(file.number, 0o600) }
            return file
        } catch {
            try? unlink(name, in: parent)
            throw error
        }
    }

    /// Makes a descriptor refer to another directory, in one step for everybody who uses it.
    func replace(_ old: borrowing FileDescriptor, with new: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.open) { dup2(new.number, old.number) }
        try attempt(.open) { fcntl(old.number, F_SETFD, FD_CLOEXEC) }
    }
}

// MARK: - Files

extension FileSystem {
    func status(_ file: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        // unsafe because the call fills a local variable and keeps no pointer to it.
        try attempt(.stat) { unsafe fstat(file.number, &status) }
        return FileStatus(status)
    }

    /// Whether this user may make files in a directory; asks, and makes none.
    func mayWrite(_ directory: borrowing FileDescriptor) -> Bool {
        // unsafe because the string is a C string for the length of the call.
        unsafe faccessat(directory.number, ".", W_OK | X_OK, AT_EACCESS) == 0
    }

    /// How many more files this user can make in the directory's file system; nil where that has no fixed number.
    func freeFiles(in directory: borrowing FileDescriptor) throws(SystemError) -> Int? {
        var status = statvfs()
        // unsafe because the call fills a local variable and keeps no pointer to it.
        try attempt(.stat) { unsafe fstatvfs(directory.number, &status) }
        return status.f_files == 0 ? nil : Int(clamping: status.f_favail)
    }

    /// What a name stands for; a symbolic link stands for itself.
    func status(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        // unsafe because the call fills a local variable, and the string is a C string meanwhile.
        try attempt(.stat) { unsafe fstatat(parent.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    /// Reads up to `count` bytes, fewer only at the file's end.
    func read(_ file: borrowing FileDescriptor, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (done, descriptor) = (filled, file.number)
            // unsafe because the call gets no more than what is left of the array.
            let result = try attempt(.read) {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
                }
            }
            guard result > 0 else { return Array(bytes[..<filled]) }
            filled += result
        }
        return bytes
    }

    func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let (done, descriptor) = (written, file.number)
            // unsafe because the call only reads, and no more than what is left of the array.
            written += try attempt(.write) {
                unsafe bytes[done...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Waits until the file, or the names in the directory, would survive a loss of power.
    func synchronize(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.fsync) { fsync(file.number) }
    }

    func setModified(_ date: Date, of file: borrowing FileDescriptor) throws(SystemError) {
        let times = [timespec(date), timespec(date)]
        // unsafe because the array has the two times that the call reads.
        try attempt(.setTimes) { unsafe futimens(file.number, times) }
    }
}

// MARK: - Names

extension FileSystem {
    func link(_ name: String, as other: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the strings are C strings for the length of the call.
        try attempt(.link) { unsafe linkat(parent.number, name, parent.number, other, 0) }
    }

    func rename(_ name: String, to other: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the strings are C strings for the length of the call.
        try attempt(.rename) { unsafe renameat(parent.number, name, parent.number, other) }
    }

    func unlink(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the string is a C string for the length of the call.
        try attempt(.unlink) { unsafe unlinkat(parent.number, name, 0) }
    }

    /// Makes a directory that only its owner may enter, whatever the umask.
    func makeDirectory(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the string is a C string for the length of the calls.
        try attempt(.mkdir) { unsafe mkdirat(parent.number, name, 0o700) }
        try attempt(.chmod) { unsafe fchmodat(parent.number, name, 0o700, 0) }
    }

    /// The names in a directory, without "." and "..", in no order.
    func names(in directory: borrowing FileDescriptor) throws(SystemError) -> [String] {
        // A descriptor of the list's own, which is closed with it.
        let number = try attempt(.readdir) { unsafe openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let list = unsafe fdopendir(number) else {
            let error = SystemError(Call.readdir.rawValue, errno)
            _ = close(number)
            throw error
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        errno = 0
        // unsafe because the list is this function's alone, and a name is copied before the next is read.
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        let error = errno
        guard error == 0 else { throw SystemError(Call.readdir.rawValue, error) }
        return names
    }
}
