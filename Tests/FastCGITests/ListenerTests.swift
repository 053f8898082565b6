import FastCGI
import Glibc
import TestSupport
import Testing

import class Foundation.FileManager

/// Each test has its own directory, removed on deinit.
final class ListenerTests {
    private let directory: String
    private var path: String { directory + "/socket" }

    init() throws {
        directory = try RunningServer.makeDirectory()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func status() throws -> stat {
        var status = stat()
        // unsafe because the path becomes a C string and the call writes to the variable through a pointer.
        try #require(unsafe lstat(path, &status) == 0)
        return status
    }

    @Test func `a socket file has the configured mode and group, whatever the umask`() throws {
        let listener = try Listener.unix(path: path)
        #expect(try status().st_mode == S_IFSOCK | 0o660)
        _ = consume listener
        let group = try Self.group()
        let other = try Listener.unix(path: path, mode: 0o666, group: group.name)
        #expect(try status().st_mode == S_IFSOCK | 0o666)
        #expect(try status().st_gid == group.number)
        _ = consume other
        let third = try Listener.unix(path: path, mode: 0o600, group: "\(group.number)")
        #expect(try status().st_gid == group.number)
        _ = consume third
    }

    /// A group that this user may assign to a file, other than its primary group if possible.
    private static func group() throws -> (name: String, number: gid_t) {
        var numbers = [gid_t](repeating: 0, count: 256)
        // unsafe because the call writes to a local array through a pointer, within its bounds.
        let count = unsafe getgroups(CInt(numbers.count), &numbers)
        let others = numbers.prefix(max(0, Int(count))).filter { $0 != getegid() }
        let number = geteuid() == 0 ? 1 : others.first ?? getegid()
        // unsafe because the C library returns a pointer to its own record; the name is copied here.
        let entry = unsafe try #require(unsafe getgrgid(number))
        return unsafe (String(cString: entry.pointee.gr_name), number)
    }

    @Test func `a group that does not exist is refused`() {
        #expect {
            try Listener.unix(path: path, group: "no-such-group")
        } throws: { error in
            "\(error)"
                == "cannot use the group no-such-group (there is no such group: correct the name. If the name is "
                + "right, create the group: groupadd --system no-such-group)"
        }
    }

    @Test func `a socket file is removed with its listener`() throws {
        let listener = try Listener.unix(path: path)
        _ = consume listener
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test func `a socket at which no process answers is replaced`() throws {
        let stale = try Self.staleSocket(at: path)
        let listener = try Listener.unix(path: path)
        #expect(try status().st_ino != stale)
        _ = try FastCGIClient(path: path)
        _ = consume listener
    }

    @Test func `a socket at which a process answers is not replaced`() throws {
        let listener = try Listener.unix(path: path)
        let before = try status().st_ino
        #expect { try Listener.unix(path: path) } throws: { "\($0)".contains("Address already in use") }
        #expect(try status().st_ino == before)
        _ = try FastCGIClient(path: path)
        _ = consume listener
    }

    @Test func `a file that is not a socket is not replaced`() throws {
        let other = directory + "/other"
        #expect(FileManager.default.createFile(atPath: other, contents: nil))
        let makers: [(String) throws -> Void] = [
            { #expect(FileManager.default.createFile(atPath: $0, contents: nil)) },
            { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: other) },
            // unsafe because the path becomes a C string, valid during the call.
            { path in #expect(unsafe mkfifo(path, 0o600) == 0) },
        ]
        for make in makers {
            try make(path)
            let before = try status().st_ino
            #expect { try Listener.unix(path: path) } throws: { "\($0)".contains("File exists") }
            #expect(try status().st_ino == before)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["other"])
    }

    @Test func `the socket of a successor is not removed at the end`() throws {
        let first = try Listener.unix(path: path)
        try FileManager.default.removeItem(atPath: path)
        let second = try Listener.unix(path: path)
        _ = consume first
        #expect(FileManager.default.fileExists(atPath: path))
        _ = consume second
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `an error about a socket path says what to do`() throws {
        let missing = directory + "/no/socket"
        #expect { try Listener.unix(path: missing) } throws: { error in
            let command = "run: install -d -o \(Self.userName) -m 0755 \(self.directory)/no)"
            let start = "cannot bind \(missing): No such file or directory (user "
            return "\(error)".hasPrefix(start) && "\(error)".hasSuffix(command)
        }
        let long = directory + "/" + String(repeating: "x", count: 100)
        #expect { try Listener.unix(path: long) } throws: { "\($0)".contains("File name too long") }
        #expect { try Listener.unix(path: "") } throws: { $0 is FastCGIError }
    }

    @Test(arguments: ["0.0.0.0", "192.0.2.1", "::", "2001:db8::1", "localhost", "", "::ffff:10.0.0.1"])
    func `an address that other machines can reach is refused`(host: String) {
        #expect { try Listener.tcp(host: host, port: 0) } throws: { "\($0)".contains("only a loopback address") }
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1"])
    func `a loopback address can be bound once`(host: String) throws {
        let listener = try Listener.tcp(host: host, port: 0)
        let port = try #require(listener.port)
        #expect { try Listener.tcp(host: host, port: port) } throws: { "\($0)".contains("Address already in use") }
    }

    private static var userName: String {
        // unsafe because the C library returns a pointer to its own record; the name is copied here.
        guard let entry = unsafe getpwuid(geteuid()) else { return "\(geteuid())" }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// Makes a socket file whose process is gone; returns its inode.
    private static func staleSocket(at path: String) throws -> ino_t {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // unsafe because the path is a C array and the call reads the address through a pointer.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
        }
        try #require(bound == 0)
        close(number)
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        return status.st_ino
    }
}
