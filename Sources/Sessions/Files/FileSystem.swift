import Glibc
import POSIX
import Synchronization

import struct FoundationEssentials.Date

/// The system calls of the file store; only this file of the target is unsafe.
///
/// Names are looked up in an open directory. The last part of a name is never followed if it is a symbolic link.
package struct FileSystem: Sendable {
    /// The system calls that can fail, by the names of their manual pages.
    package enum Call: String, Sendable, CaseIterable {
        case open, stat, read, write, fsync, link, rename, unlink, mkdir, chmod, flock, readdir
        case setTimes = "utimensat"
        case random = "getentropy"
    }

    /// For tests: called before every system call; returns an error number to fail with, or nil.
    private let fault: (@Sendable (Call) -> Int32?)?
    /// The directory that errors name.
    private var directory: String?

    /// The directory that this process has entered, because its user may not enter the directories above it.
    private static let entered = Mutex<String?>(nil)

    /// Finds a directory, and what is in it, from now on in the working directory, which the process has entered.
    ///
    /// - Parameter path: The absolute path of the working directory, which messages show.
    package static func enter(_ path: String) {
        entered.withLock { $0 = path }
    }

    /// The name of a path as the system finds it.
    private static func reachable(_ path: String, from parent: borrowing FileDescriptor) -> String {
        guard parent.number == FileDescriptor.working.number, let entered = entered.withLock(\.self) else {
            return path
        }
        if path == entered { return "." }
        return path.hasPrefix(entered + "/") ? String(path.dropFirst(entered.utf8.count + 1)) : path
    }

    package init(fault: (@Sendable (Call) -> Int32?)? = nil) {
        self.fault = fault
    }

    /// The same system calls for a directory, which errors name.
    func at(_ directory: String) -> FileSystem {
        var files = self
        files.directory = StoreDirectories.withoutSlashes(directory)
        return files
    }

    /// Makes a system call, and repeats it if a signal interrupted it.
    ///
    /// fsync is never repeated: after a failure the system may have dropped the data.
    @discardableResult
    func attempt(_ call: Call, _ body: () -> Int) throws(SystemError) -> Int {
        while true {
            if let number = fault?(call) { throw error(call, number) }
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR, call != .fsync else { throw error(call, number) }
        }
    }

    private func error(_ call: Call, _ number: Int32) -> SystemError {
        SystemError(call.rawValue, number, in: directory)
    }

    @discardableResult
    func attempt(_ call: Call, _ body: () -> Int32) throws(SystemError) -> Int32 {
        Int32(truncatingIfNeeded: try attempt(call) { Int(body()) })
    }

    /// Random bytes of the system, at most 256; the system never returns fewer than requested.
    func random(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // unsafe because the call gets a pointer to the array and its length.
        try attempt(.random) { unsafe getentropy(&bytes, count) }
        return bytes
    }

    // MARK: - Opening

    private static let always = O_NOFOLLOW | O_CLOEXEC
    /// `O_NONBLOCK`, so that opening a FIFO does not wait.
    private static let reading = O_RDONLY | O_NONBLOCK | always

    func openDirectory(
        _ name: String,
        in parent: borrowing FileDescriptor
    ) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | Self.always
        let name = Self.reachable(name, from: parent)
        // unsafe because the string is passed as a C string, which the call only reads.
        return FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, flags) })
    }

    func openFile(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        // unsafe because the string is passed as a C string, which the call only reads.
        FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, Self.reading) })
    }

    /// Opens a record without allocating memory, and reading it does not change its time of access.
    func openFile(_ name: RecordName, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            return try openFile(name, in: parent, Self.reading | FileDescriptor.withoutAccessTime)
        } catch {
            // The file of another user is opened as usual (open(2)); its owner is checked afterwards.
            guard error.number == EPERM else { throw error }
            return try openFile(name, in: parent, Self.reading)
        }
    }

    private func openFile(
        _ name: RecordName,
        in parent: borrowing FileDescriptor,
        _ flags: Int32
    ) throws(SystemError) -> FileDescriptor {
        let (parent, path) = (parent.number, name.path)
        return FileDescriptor(
            try attempt(.open) {
                // unsafe because the call gets a pointer to the path, which ends in NUL and outlives the call.
                unsafe path.span.withUnsafeBytes { bytes in
                    unsafe bytes.baseAddress.map { start in
                        unsafe openat(parent, start.assumingMemoryBound(to: CChar.self), flags)
                    } ?? -1
                }
            }
        )
    }

    /// The status of a record without allocating memory; for a symbolic link, its own status.
    func status(_ name: RecordName, in parent: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        let (parent, path) = (parent.number, name.path)
        var status = stat()
        try attempt(.stat) {
            // unsafe because the call gets a pointer to the path, which ends in NUL and outlives the call, and fills a local
            // variable through a pointer.
            unsafe path.span.withUnsafeBytes { bytes in
                unsafe bytes.baseAddress.map { start in
                    unsafe fstatat(parent, start.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
                } ?? -1
            }
        }
        return FileStatus(status)
    }

    /// Creates a file with mode 0600, whatever the umask; fails if the name exists.
    func createFile(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | Self.always
        // unsafe because the string is passed as a C string, which the call only reads.
        let file = FileDescriptor(try attempt(.open) { unsafe openat(parent.number, name, flags, 0o600) })
        do {
            try attempt(.chmod) { fchmod(file.number, 0o600) }
            return file
        } catch {
            try? unlink(name, in: parent)
            throw error
        }
    }

    /// Makes a descriptor refer to another directory, atomically for all its users.
    func replace(_ old: borrowing FileDescriptor, with new: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.open) { dup2(new.number, old.number) }
        try attempt(.open) { fcntl(old.number, F_SETFD, FD_CLOEXEC) }
    }

    // MARK: - Files

    func status(_ file: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        // unsafe because the call fills a local variable through a pointer.
        try attempt(.stat) { unsafe fstat(file.number, &status) }
        return FileStatus(status)
    }

    /// Whether this user may create files in a directory; creates none.
    func mayWrite(_ directory: borrowing FileDescriptor) -> Bool {
        // unsafe because the string is passed as a C string, which the call only reads.
        unsafe faccessat(directory.number, ".", W_OK | X_OK, AT_EACCESS) == 0
    }

    /// Whether the directory's file system is mounted read-only; false if this cannot be read.
    func isReadOnly(_ directory: borrowing FileDescriptor) -> Bool {
        var status = statvfs()
        // unsafe because the call fills a local variable through a pointer.
        guard unsafe fstatvfs(directory.number, &status) == 0 else { return false }
        // ST_RDONLY of sys/statvfs.h.
        return status.f_flag & 1 != 0
    }

    /// How many more files this user can create in the directory's file system; nil if it has no fixed number.
    func freeFiles(in directory: borrowing FileDescriptor) throws(SystemError) -> Int? {
        var status = statvfs()
        // unsafe because the call fills a local variable through a pointer.
        try attempt(.stat) { unsafe fstatvfs(directory.number, &status) }
        return status.f_files == 0 ? nil : Int(clamping: status.f_favail)
    }

    /// The status of a name; for a symbolic link, its own status.
    func status(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        let name = Self.reachable(name, from: parent)
        // unsafe because the call reads a C string and fills a local variable through a pointer.
        try attempt(.stat) { unsafe fstatat(parent.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
    func read(_ file: borrowing FileDescriptor, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (done, descriptor) = (filled, file.number)
            // unsafe because the call writes to the rest of the array through a pointer.
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
            // unsafe because the call reads the rest of the array through a pointer.
            written += try attempt(.write) {
                unsafe bytes[done...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Waits until the content of a file, or the names in a directory, would survive a loss of power.
    func synchronize(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.fsync) { fsync(file.number) }
    }

    func setModified(_ date: Date, of file: borrowing FileDescriptor) throws(SystemError) {
        let times = [timespec(date), timespec(date)]
        // unsafe because the call reads two times through a pointer to the array.
        try attempt(.setTimes) { unsafe futimens(file.number, times) }
    }

    func setModified(_ date: Date, _ name: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        let times = [timespec(date), timespec(date)]
        // unsafe because the call reads a C string, and two times through a pointer to the array.
        try attempt(.setTimes) { unsafe utimensat(parent.number, name, times, AT_SYMLINK_NOFOLLOW) }
    }

    // MARK: - Names

    func link(_ name: String, as other: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the strings are passed as C strings, which the call only reads.
        try attempt(.link) { unsafe linkat(parent.number, name, parent.number, other, 0) }
    }

    func rename(_ name: String, to other: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the strings are passed as C strings, which the call only reads.
        try attempt(.rename) { unsafe renameat(parent.number, name, parent.number, other) }
    }

    func unlink(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        // unsafe because the string is passed as a C string, which the call only reads.
        try attempt(.unlink) { unsafe unlinkat(parent.number, name, 0) }
    }

    /// Creates a directory with mode 0700, whatever the umask.
    func makeDirectory(_ name: String, in parent: borrowing FileDescriptor) throws(SystemError) {
        let name = Self.reachable(name, from: parent)
        // unsafe because the string is passed as a C string, which the calls only read.
        try attempt(.mkdir) { unsafe mkdirat(parent.number, name, 0o700) }
        try attempt(.chmod) { unsafe fchmodat(parent.number, name, 0o700, 0) }
    }

    /// The names in a directory without "." and "..", in no particular order.
    func names(in directory: borrowing FileDescriptor) throws(SystemError) -> [String] {
        // A second descriptor, which closedir closes.
        let number = try attempt(.readdir) { unsafe openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let list = unsafe fdopendir(number) else {
            let error = error(.readdir, errno)
            _ = close(number)
            throw error
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        errno = 0
        // unsafe because the call returns a pointer into the list; the name is copied before the next call.
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        let failure = errno
        guard failure == 0 else { throw error(.readdir, failure) }
        return names
    }

    // MARK: - Locks

    /// Waits for the lock of an open file, which ends with `unlock`, with the descriptor or with the process.
    func lock(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.flock) { flock(file.number, LOCK_EX) }
    }

    /// Takes the lock of an open file without waiting, alone or shared; false if another descriptor holds it.
    func tryLock(_ file: borrowing FileDescriptor, isShared: Bool = false) throws(SystemError) -> Bool {
        do {
            try attempt(.flock) { flock(file.number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
            return true
        } catch {
            guard error.number == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func unlock(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.flock) { flock(file.number, LOCK_UN) }
    }
}

// MARK: - Times

extension FileStatus {
    /// The time of the last modification.
    var modificationDate: Date {
        let (seconds, nanoseconds) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }
}

extension timespec {
    /// The nearest time that a file system can store; a date outside of its range becomes its first or last second.
    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        // 2^33 seconds after 1970 is the year 2242, beyond any real expiry.
        guard whole >= 0, whole < 8_589_934_592 else {
            self.init(tv_sec: whole > 0 ? 8_589_934_591 : 0, tv_nsec: 0)
            return
        }
        self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1_000_000_000)))
    }
}
