import Glibc
import POSIX
import Testing

import class Foundation.FileManager

@testable import FastCGI

/// A process that keeps the lock of the socket's directory must not prevent the program from starting or stopping.
@Suite final class DirectoryLockTests {
    private let directory: String
    private var path: String { directory + "/socket" }

    init() throws {
        directory = try RunningServer.makeDirectory()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Locks the directory as another process would: a lock belongs to an open file, not to a process.
    private func hostileHolder() throws -> FileDescriptor {
        // unsafe because the path becomes a C string, valid during the call.
        let holder = FileDescriptor(unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        try #require(flock(holder.number, LOCK_EX | LOCK_NB) == 0)
        return holder
    }

    private func canLock(patience: Duration) -> Bool {
        DirectoryLock(around: path, patience: patience) != nil
    }

    @Test func `waiting for a directory's lock ends at its limit`() throws {
        let holder = try hostileHolder()
        var isLocked = true
        let waited = ContinuousClock().measure { isLocked = canLock(patience: .zero) }
        #expect(!isLocked)
        #expect(waited < .milliseconds(900))
        holder.release()
        #expect(canLock(patience: .zero))
    }

    @Test func `a socket is bound and removed while another process keeps the lock of its directory`() throws {
        let holder = try hostileHolder()
        do {
            let listener = try Listener.unix(path: path)
            #expect(listener.name == path)
            #expect(SocketFile(at: path) != nil)
        }
        #expect(!SocketFile.exists(path))
        holder.release()
    }
}
