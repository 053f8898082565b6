import POSIX
import Testing

import struct Foundation.Data
import class Foundation.FileManager
import struct Foundation.URL
import struct Foundation.UUID
import var Glibc.AT_FDCWD
import var Glibc.EFBIG
import var Glibc.EISDIR
import var Glibc.ENOENT
import func Glibc.chmod
import func Glibc.mkfifo
import func Glibc.symlink
import struct Glibc.timespec
import func Glibc.utimensat

@Suite struct ReadableFileTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path())
    }

    private func failure(_ body: () throws -> Void) -> SystemError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SystemError
        }
    }

    @Test func `a file is read completely, up to a limit`() throws {
        try withDirectory { directory in
            let path = directory + "/file"
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
            try Data(bytes).write(to: URL(filePath: path))
            let file = try ReadableFile(path)
            let status = file.status
            #expect(status.kind == .regular && status.size == 200_000)
            let contents = try file.contents(limit: 200_000)
            #expect(contents == bytes)
            #expect(failure { _ = try ReadableFile(path).contents(limit: 199_999) }?.number == EFBIG)
        }
    }

    @Test func `a directory, a missing file and a FIFO are distinguished`() throws {
        try withDirectory { directory in
            #expect(failure { _ = try ReadableFile(directory) }?.number == EISDIR)
            let path = directory + "/missing"
            let missing = failure { _ = try ReadableFile(path) }
            #expect(missing?.number == ENOENT)
            #expect(missing?.description == "No such file or directory")
            // Nothing ever opens this one for writing.
            #expect(unsafe mkfifo(directory + "/fifo", 0o600) == 0)
            let fifo = try ReadableFile(directory + "/fifo")
            #expect(fifo.status.kind == .fifo)
        }
    }

    @Test func `the status of a link is that of its target`() throws {
        try withDirectory { directory in
            try Data("x".utf8).write(to: URL(filePath: directory + "/file"))
            #expect(unsafe chmod(directory + "/file", 0o640) == 0)
            #expect(unsafe symlink(directory + "/file", directory + "/link") == 0)
            let status = try FileStatus(path: directory + "/link")
            #expect(status.kind == .regular && status.permissions == 0o640 && status.size == 1)
            let linked = try ReadableFile(directory + "/link")
            #expect(linked.status == status)
            #expect(unsafe chmod(directory + "/file", 0o600) == 0)
            #expect(try FileStatus(path: directory + "/link") != status)
        }
    }

    @Test func `a modification time outside the range becomes the nearest one in it`() throws {
        try withDirectory { directory in
            let path = directory + "/file"
            try Data("x".utf8).write(to: URL(filePath: path))
            let times = [timespec(tv_sec: 13_000_000_000, tv_nsec: 0), timespec(tv_sec: 13_000_000_000, tv_nsec: 0)]
            // unsafe because the call reads the path and the times through pointers.
            try #require(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
            #expect(try FileStatus(path: path).modified >= 9_223_372_036_000_000_000)
        }
    }
}
