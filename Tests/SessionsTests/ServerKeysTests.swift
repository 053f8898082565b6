import Encoding
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

/// Sealing values that a browser stores and cannot read.
@Suite struct ServerKeysTests {
    let keys: ServerKeys
    private let old = [UInt8](repeating: 1, count: 32)
    private let new = [UInt8](repeating: 2, count: 32)
    private let text = Array("return to /profile".utf8)

    init() throws {
        keys = try #require(ServerKeys([old]))
    }

    @Test(arguments: [0, 1, 300])
    func `a sealed value opens only for its purpose`(count: Int) throws {
        let text = [UInt8](repeating: 7, count: count)
        let sealed = try keys.seal(text, purpose: "sign-in")
        #expect(keys.open(sealed, purpose: "sign-in") == text)
        for other in ["", "sign-i", "sign-in ", "Sign-in", "session"] {
            #expect(keys.open(sealed, purpose: other) == nil)
        }
    }

    @Test func `a changed, truncated or lengthened sealed value does not open`() throws {
        let sealed = Array(try keys.seal(text, purpose: "sign-in").utf8)
        for index in sealed.indices {
            for replacement in "Az0_".utf8 where sealed[index] != replacement {
                var mutant = sealed
                mutant[index] = replacement
                #expect(keys.open(String(decoding: mutant, as: UTF8.self), purpose: "sign-in") == nil)
            }
            #expect(keys.open(String(decoding: sealed[..<index], as: UTF8.self), purpose: "sign-in") == nil)
        }
        for more in ["A", "AA", "AAAA", "=", " "] {
            #expect(keys.open(String(decoding: sealed, as: UTF8.self) + more, purpose: "sign-in") == nil)
        }
        for odd in ["", "x", "é", String(repeating: "A", count: 10_000)] {
            #expect(keys.open(odd, purpose: "sign-in") == nil)
        }
    }

    @Test func `the new key seals, and the old key opens its values until it is removed`() throws {
        let before = try keys.seal(text, purpose: "sign-in")
        let both = try #require(ServerKeys([new, old]))
        let after = try both.seal(text, purpose: "sign-in")
        let newAlone = try #require(ServerKeys([new]))
        #expect(both.open(before, purpose: "sign-in") == text)
        #expect(both.open(after, purpose: "sign-in") == text)
        #expect(newAlone.open(after, purpose: "sign-in") == text)
        #expect(newAlone.open(before, purpose: "sign-in") == nil)
        #expect(keys.open(after, purpose: "sign-in") == nil)
    }

    @Test func `sealing twice gives different values that show neither text nor key`() throws {
        let first = try keys.seal(text, purpose: "sign-in")
        #expect(try first != keys.seal(text, purpose: "sign-in"))
        #expect(first.utf8.allSatisfy { Character(UnicodeScalar($0)).isLetter || "0123456789-_".utf8.contains($0) })
        let bytes = try #require(Base64URL.decode(first))
        #expect(Data(bytes).range(of: Data(text)) == nil)
        #expect(Data(bytes).range(of: Data(old.prefix(4))) == nil)
        #expect(String(describing: keys) == "<redacted>")
        #expect(String(reflecting: keys) == "<redacted>")
    }

    @Test func `missing, short and long keys are rejected`() {
        #expect(ServerKeys([]) == nil)
        #expect(ServerKeys([Array(repeating: 1, count: 31)]) == nil)
        #expect(ServerKeys([old, Array(repeating: 1, count: 33)]) == nil)
    }

    @Test func `without random bytes nothing is sealed`() throws {
        let random = RandomBytes { _ throws(StoreError) in throw StoreError(.noRandom, detail: "none") }
        let keys = try #require(ServerKeys([old], random: random))
        #expect(throws: StoreError(.noRandom, detail: "none")) { try keys.seal(text, purpose: "sign-in") }
    }
}

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

    @Test func `the first start creates a server key, and later starts read it`() throws {
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

    @Test func `concurrent first starts get the same server key`() async throws {
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

    @Test func `a new first line rotates the server key`() throws {
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
    func `a server key file that other users can read is rejected`(_ mode: Int) throws {
        try write(Base64URL.encode([UInt8](repeating: 9, count: 32)), mode: mode)
        expectRefusal("chmod 600")
    }

    @Test func `a server key file with anything but keys is rejected, and the error does not quote it`() throws {
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

    @Test func `a symbolic link, a FIFO, a directory or a missing directory instead of a server key file is rejected`()
        throws
    {
        try files.createSymbolicLink(atPath: path, withDestinationPath: temporary.path("elsewhere"))
        expectRefusal("regular file")
        #expect(!files.fileExists(atPath: temporary.path("elsewhere")))
        try files.removeItem(atPath: path)
        // unsafe because the string is passed as a C string, which the call only reads.
        #expect(unsafe mkfifo(path, 0o600) == 0)
        expectRefusal("regular file")
        try files.removeItem(atPath: path)
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectRefusal("regular file")
        #expect(throws: StoreError.self) { try ServerKeys.load(file: path + "/") }
        #expect(throws: StoreError.self) { try ServerKeys.load(file: temporary.path("no/server-keys")) }
    }

    @Test func `a server key that could not be made durable is not used`() throws {
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
