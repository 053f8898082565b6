import Encoding
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServerKeyFileTests {
    let temporary: TemporaryDirectory
    var path: String { temporary.path("server-keys") }
    private let files = FileManager.default

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func expectRefusal(_ word: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(sourceLocation: sourceLocation) {
            try ServerKeys.load(file: path)
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .unusable && error.detail.contains(word)
        }
    }

    @Test func `the first start makes a key of its own, which the next ones find`() throws {
        let first = try ServerKeys.load(file: path)
        let sealed = try first.seal([1, 2, 3], purpose: "test")
        #expect(try ServerKeys.load(file: path).open(sealed, purpose: "test") == [1, 2, 3])
        #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try files.contentsOfDirectory(atPath: temporary.path) == ["server-keys"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(Base64URL.decode(String(text.dropLast()))?.count == 32)
        #expect(text.hasSuffix("\n"))
        try files.removeItem(atPath: path)
        #expect(try ServerKeys.load(file: path).open(sealed, purpose: "test") == nil)
    }

    @Test func `of many that start at once all have the same key`() async throws {
        for _ in 0..<20 {
            let all = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { @concurrent in try ServerKeys.load(file: path) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let sealed = try all[0].seal([7], purpose: "test")
            for keys in all { #expect(keys.open(sealed, purpose: "test") == [7]) }
            try files.removeItem(atPath: path)
        }
    }

    @Test func `a new line on top rotates the key`() throws {
        let sealed = try ServerKeys.load(file: path).seal([7], purpose: "test")
        let old = try String(contentsOfFile: path, encoding: .utf8)
        let new = Base64URL.encode([UInt8](repeating: 9, count: 32))
        try write(new + "\n" + old)
        let both = try ServerKeys.load(file: path)
        #expect(both.count == 2)
        #expect(both.open(sealed, purpose: "test") == [7])
        try write(new)
        #expect(try ServerKeys.load(file: path).open(sealed, purpose: "test") == nil)
        #expect(try ServerKeys.load(file: path).open(both.seal([7], purpose: "test"), purpose: "test") == [7])
    }

    @Test(arguments: [0o604, 0o640, 0o644, 0o660, 0o777])
    func `a file that others can read is refused`(_ mode: Int) throws {
        try write(Base64URL.encode([UInt8](repeating: 9, count: 32)), mode: mode)
        expectRefusal("chmod 600")
    }

    @Test func `a file with anything but keys is refused, and its text is not told`() throws {
        let key = Base64URL.encode([UInt8](repeating: 9, count: 32))
        try write("")
        expectRefusal("empty")
        for line in ["canary", key.dropLast() + "", key + "A", key + "=", "# " + key, " " + key, key + "\r"] {
            try write("\(key)\n\(line)\n")
            expectRefusal("line 2 ")
            #expect {
                try ServerKeys.load(file: path)
            } throws: {
                !String(describing: $0).contains(line)
            }
        }
        try write(String(repeating: key + "\n", count: 100))
        expectRefusal("small regular file")
    }

    @Test func `a symbolic link, a FIFO, a directory and a missing directory are refused`() throws {
        try files.createSymbolicLink(atPath: path, withDestinationPath: temporary.path("elsewhere"))
        expectRefusal("regular file")
        #expect(!files.fileExists(atPath: temporary.path("elsewhere")))
        try files.removeItem(atPath: path)
        // Safe because the string is a C string for the length of the call.
        #expect(unsafe mkfifo(path, 0o600) == 0)
        expectRefusal("regular file")
        try files.removeItem(atPath: path)
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectRefusal("regular file")
        #expect(throws: StoreError.self) { try ServerKeys.load(file: path + "/") }
        #expect(throws: StoreError.self) { try ServerKeys.load(file: temporary.path("no/server-keys")) }
    }

    @Test func `a key that could not be made durable is not used`() throws {
        let disk = FaultyDisk()
        for call in [FileSystem.Call.fsync, .write, .link, .chmod] {
            disk.fail(call, with: ENOSPC)
            #expect {
                try ServerKeys.load(file: path, files: disk.files)
            } throws: {
                ($0 as? StoreError)?.code == .full
            }
            #expect(try files.contentsOfDirectory(atPath: temporary.path).isEmpty)
        }
        disk.fail(.random, with: ENOSYS)
        #expect {
            try ServerKeys.load(file: path, random: .system(disk.files), files: disk.files)
        } throws: {
            ($0 as? StoreError)?.code == .noRandom
        }
    }
}
