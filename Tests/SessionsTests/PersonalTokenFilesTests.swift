import Foundation
import Glibc
import Sessions
import Synchronization
import TestSupport
import Testing

/// Personal tokens in files that are damaged, or that a crash left behind.
struct PersonalTokenFilesTests {
    private let directory: TemporaryDirectory
    private let owner = Session.example().identity
    private let other = Session.example(subject: "other").identity

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(_ files: FileSystem = FileSystem()) throws -> Vault {
        let store = try FileStore(directory: directory.path("store"), files: files)
        return Vault(in: store)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path("store/tokens"))
    }

    private func grant(_ owner: Identity, life: Double = 60) -> TokenGrant {
        let end = Date.testStart.addingTimeInterval(life)
        return TokenGrant(owner: owner.member, name: "n", locations: ["/"], created: .testStart, expires: end)
    }

    /// Removes the files of tokens, as if the program had ended before it wrote them.
    private func removeTokens() throws {
        for name in try names() where !name.hasPrefix("owner-") {
            try FileManager.default.removeItem(atPath: directory.path("store/tokens/" + name))
        }
    }

    @Test func `the sweeper removes owners without tokens`() async throws {
        let store = try store()
        _ = try await store.tokens.makeToken(grant(owner), owner: owner)
        try removeTokens()
        #expect(try names().count == 1)
        #expect(try await store.sweep(shard: 0, now: .testStart).expiredTokens == 0)
        #expect(try names() == [])
    }

    @Test func `a deletion removes an owner without tokens, also beside a token of a newer version`() async throws {
        let store = try store()
        for owner in [owner, other] { _ = try await store.tokens.makeToken(grant(owner), owner: owner) }
        try removeTokens()
        let newer = String(repeating: "0", count: 32)
        try Data("LSPT newer".utf8).write(to: URL(fileURLWithPath: directory.path("store/tokens/" + newer)))
        #expect(try await store.tokens.revokeAllTokens(of: owner.member) == 0)
        #expect(try await store.tokens.tokenOwner(owner.member) == nil)
        // This may be the owner of the token that cannot be read.
        #expect(try await store.tokens.tokenOwner(other.member) == other)
    }

    @Test(arguments: [EACCES, EIO])
    func `a token file that cannot be read does not stop the others`(number: Int32) async throws {
        let failing = Failing(number)
        let store = try store(FileSystem { failing.number(for: $0) })
        let kept = try #require(try await store.tokens.makeToken(grant(owner), owner: owner))
        _ = try await store.tokens.makeToken(grant(other), owner: other)
        failing.failOnce()
        #expect(try await store.tokens.tokens(of: nil, now: .testStart).count == 1)
        failing.failOnce()
        #expect(try await store.tokens.tokenOwners().count == 1)
        failing.failOnce()
        #expect(try await store.sweep(shard: 0, now: .testStart).expiredTokens == 0)
        failing.failOnce()
        #expect(try await store.tokens.makeToken(grant(owner), owner: owner) != nil)
        #expect(try await store.tokens.tokens(of: nil, now: .testStart).count == 3)
        #expect(try await store.tokens.find(kept, now: .testStart) != nil)
        failing.failOnce()
        #expect(1...2 ~= (try await store.tokens.revokeAllTokens(of: owner.member)))
    }
}

/// A file system that fails to read one file.
private final class Failing: Sendable {
    private let error: Int32
    private let isArmed = Mutex(false)

    init(_ error: Int32) {
        self.error = error
    }

    func failOnce() {
        isArmed.withLock { $0 = true }
    }

    func number(for call: FileSystem.Call) -> Int32? {
        guard call == .read else { return nil }
        return isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed ? error : nil
        }
    }
}
