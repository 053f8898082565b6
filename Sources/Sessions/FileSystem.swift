import Glibc

import struct Foundation.Date

/// Every system call of this target, in the only file of it that is unsafe.
///
/// Names are relative to an open directory; the last part of a name is never followed if it is a symbolic link.
package struct FileSystem: Sendable {
    package enum Call: String, Sendable, CaseIterable {
        case open, stat, read, write, fsync, link, rename, unlink, mkdir, chmod, flock, readdir
        case setTimes = "utimensat"
        case random = "getentropy"
    }

    /// Asked before every call: an error number to fail with, as a bad disk would, or nil to go on.
    private let fault: (@Sendable (Call) -> Int32?)?

    package init(fault: (@Sendable (Call) -> Int32?)? = nil) {
        self.fault = fault
    }

    private func attempt(_ call: Call, _ body: () -> Int32) throws(SystemError) -> Int32 {
        if let number = fault?(call) { throw SystemError(call: call, number: number) }
        let result = body()
        guard result >= 0 else { throw SystemError(call: call, number: errno) }
        return result
    }

    static var effectiveUser: UInt32 { geteuid() }

    /// Seconds of a clock that no one sets, good to some milliseconds.
    static var monotonicSeconds: Int {
        var time = timespec()
        // The pointer to a local variable is used by the call alone.
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec
    }

    static func message(_ number: Int32) -> String {
        // The text is a constant of the C library, copied at once; unknown numbers get a buffer of the thread's own.
        unsafe String(cString: strerror(number))
    }

    /// Fills with random bytes of the system, or throws: there is no other source to fall back to.
    func random(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // The array is exclusively ours for the call, and the count is its own; 256 bytes are the call's limit.
        _ = try attempt(.random) { unsafe getentropy(&bytes, count) }
        return bytes
    }
}

// MARK: - Opening

extension FileSystem {
    private static let always = O_NOFOLLOW | O_CLOEXEC

    func openDirectory(path: String) throws(SystemError) -> FileDescriptor {
        // The string is a C string for the length of the call.
        FileDescriptor(try attempt(.open) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | Self.always) })
    }

    func openDirectory(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let parent = directory.number
        // The string is a C string for the length of the call.
        return FileDescriptor(
            try attempt(.open) { unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | Self.always) }
        )
    }

    /// Opens for reading; a FIFO does not make it wait.
    func openFile(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let parent = directory.number
        // The string is a C string for the length of the call.
        return FileDescriptor(try attempt(.open) { unsafe openat(parent, name, O_RDONLY | O_NONBLOCK | Self.always) })
    }

    /// Opens a record for reading without allocating anything.
    func openFile(_ name: RecordName, in directory: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let parent = directory.number
        let path = name.path
        // The inline array ends in NUL, and lives on the stack until the call is over.
        return FileDescriptor(
            try attempt(.open) {
                unsafe path.span.withUnsafeBytes { bytes in
                    unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                        unsafe characters.baseAddress.map { name in
                            unsafe openat(parent, name, O_RDONLY | O_NONBLOCK | Self.always)
                        } ?? -1
                    }
                }
            }
        )
    }

    /// Creates a file that is not there yet, 0600 whatever the umask.
    func createFile(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        let parent = directory.number
        let flags = O_WRONLY | O_CREAT | O_EXCL | Self.always
        // The string is a C string for the length of the call.
        let file = FileDescriptor(try attempt(.open) { unsafe openat(parent, name, flags, 0o600) })
        do {
            _ = try attempt(.chmod) { fchmod(file.number, 0o600) }
            return file
        } catch {
            try? unlink(name, in: directory)
            throw error
        }
    }

    /// Makes a number refer to another directory, in one step for everybody who uses it.
    func replace(
        _ directory: borrowing FileDescriptor,
        with other: borrowing FileDescriptor
    ) throws(SystemError) {
        let (old, new) = (directory.number, other.number)
        _ = try attempt(.open) { dup2(new, old) }
        _ = try attempt(.open) { fcntl(old, F_SETFD, FD_CLOEXEC) }
    }
}

// MARK: - Files

extension FileSystem {
    func status(_ file: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        // The pointer to a local variable is used by the call alone.
        _ = try attempt(.stat) { unsafe fstat(file.number, &status) }
        return FileStatus(status)
    }

    /// What a name refers to; a symbolic link is described itself.
    func status(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        // The string is a C string, and the local variable ours, for the length of the call.
        _ = try attempt(.stat) { unsafe fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    func status(path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        // The string is a C string, and the local variable ours, for the length of the call.
        _ = try attempt(.stat) { unsafe lstat(path, &status) }
        return FileStatus(status)
    }

    /// Reads up to `count` bytes, fewer only at the file's end.
    func read(_ file: borrowing FileDescriptor, count: Int) throws(SystemError) -> [UInt8] {
        if let number = fault?(.read) { throw SystemError(call: .read, number: number) }
        let descriptor = file.number
        var failure: Int32 = 0
        // The call writes only into the buffer it is told of, and only what it says it wrote counts as initialised.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = unsafe Glibc.read(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + filled },
                    count - filled
                )
                if result > 0 {
                    filled += result
                } else if result == 0 || errno != EINTR {
                    failure = result == 0 ? 0 : errno
                    return
                }
            }
        }
        guard failure == 0 else { throw SystemError(call: .read, number: failure) }
        return bytes
    }

    func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            if let number = fault?(.write) { throw SystemError(call: .write, number: number) }
            let descriptor = file.number
            // The call only reads, within the bounds of the buffer it is given.
            let result = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw SystemError(call: .write, number: errno)
            }
        }
    }

    /// Waits until the file, or the names in the directory, would survive a loss of power.
    func synchronize(_ file: borrowing FileDescriptor) throws(SystemError) {
        let descriptor = file.number
        _ = try attempt(.fsync) { fsync(descriptor) }
    }

    func setModified(_ date: Date, of file: borrowing FileDescriptor) throws(SystemError) {
        let descriptor = file.number
        let time = timespec(date)
        // Both times lie in an array that lives until the call is over.
        _ = try attempt(.setTimes) { unsafe futimens(descriptor, [time, time]) }
    }
}

// MARK: - Names

extension FileSystem {
    func link(
        _ name: String,
        as newName: String,
        in directory: borrowing FileDescriptor
    ) throws(SystemError) {
        let parent = directory.number
        // The strings are C strings for the length of the call.
        _ = try attempt(.link) { unsafe linkat(parent, name, parent, newName, 0) }
    }

    func rename(_ name: String, to newName: String, in directory: borrowing FileDescriptor) throws(SystemError) {
        let parent = directory.number
        // The strings are C strings for the length of the call.
        _ = try attempt(.rename) { unsafe renameat(parent, name, parent, newName) }
    }

    func unlink(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) {
        let parent = directory.number
        // The string is a C string for the length of the call.
        _ = try attempt(.unlink) { unsafe unlinkat(parent, name, 0) }
    }

    func makeDirectory(path: String) throws(SystemError) {
        // The string is a C string for the length of the calls.
        _ = try attempt(.mkdir) { unsafe mkdir(path, 0o700) }
        _ = try attempt(.chmod) { unsafe chmod(path, 0o700) }
    }

    /// Makes a directory that only we may enter, whatever the umask.
    func makeDirectory(_ name: String, in directory: borrowing FileDescriptor) throws(SystemError) {
        let parent = directory.number
        // The string is a C string for the length of the calls.
        _ = try attempt(.mkdir) { unsafe mkdirat(parent, name, 0o700) }
        _ = try attempt(.chmod) { unsafe fchmodat(parent, name, 0o700, 0) }
    }
}

// MARK: - Locks and lists

extension FileSystem {
    /// Waits for the lock of an open file or directory; held until released or closed, also by a killed process.
    func lock(_ file: borrowing FileDescriptor) throws(SystemError) {
        while true {
            do {
                _ = try attempt(.flock) { flock(file.number, LOCK_EX) }
                return
            } catch {
                guard error.number == EINTR else { throw error }
            }
        }
    }

    /// False if somebody else holds the lock.
    func tryLock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        do {
            _ = try attempt(.flock) { flock(file.number, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            guard error.number == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func unlock(_ file: borrowing FileDescriptor) throws(SystemError) {
        _ = try attempt(.flock) { flock(file.number, LOCK_UN) }
    }

    /// The names in a directory, without "." and "..", in no order.
    func names(in directory: borrowing FileDescriptor) throws(SystemError) -> [String] {
        // A descriptor of its own, because closing the list closes what it reads from.
        let own = try attempt(.open) { unsafe openat(directory.number, ".", O_RDONLY | O_DIRECTORY | Self.always) }
        guard let list = unsafe fdopendir(own) else {
            close(own)
            throw SystemError(call: .readdir, number: errno)
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        errno = 0
        // An entry is valid until the next is read, and its name is copied before that.
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { characters in
                unsafe String(cString: UnsafeRawPointer(characters).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError(call: .readdir, number: errno) }
        return names
    }
}
