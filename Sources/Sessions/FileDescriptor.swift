import Glibc

import struct FoundationEssentials.Date

/// An open file or directory, closed when its owner is done with it.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    /// Names relative to this one are paths.
    static let working = FileDescriptor(AT_FDCWD)

    /// Ends the owner's use at a place in the code that can be pointed at.
    consuming func release() {}

    deinit {
        FileSystem.close(number)
    }
}

/// What the system says of a file.
struct FileStatus: Sendable {
    let identity: FileIdentity
    let isRegular: Bool
    let isDirectory: Bool
    let owner: UInt32
    let permissions: UInt32
    let size: Int
    let modified: Date

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        owner = status.st_uid
        permissions = status.st_mode & 0o7777
        size = Int(status.st_size)
        let time = status.st_mtim
        modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}

/// Two names with the same identity are one file, as long as somebody has it open.
struct FileIdentity: Sendable, Equatable {
    let device: UInt64
    let node: UInt64
}

/// A system call that failed.
struct SystemError: Error {
    let call: FileSystem.Call
    let number: Int32
}

extension timespec {
    /// The nearest time a file system can be asked to keep; dates beyond any sense become its first or last second.
    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        // 2 to the 33rd is the year 2242: every file system of Linux that is in use keeps less or more than that.
        guard whole >= 0, whole < 8_589_934_592 else {
            self.init(tv_sec: whole > 0 ? 8_589_934_591 : 0, tv_nsec: 0)
            return
        }
        self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1_000_000_000)))
    }
}
