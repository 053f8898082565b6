import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

/// Which directories a store accepts, and what happens if they change.
@Suite(.timeLimit(.minutes(1))) struct StoreDirectoryTests {
    let temporary: TemporaryDirectory
    var path: String { temporary.path("store") }
    private let files = FileManager.default

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func open(_ path: String? = nil) throws(StoreError) -> FileStore {
        try FileStore(directory: path ?? self.path)
    }

    private func expectRefusal(_ word: String, path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(sourceLocation: sourceLocation) {
            try open(path)
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .unusable && error.detail.contains(word)
        }
    }

    @Test func `directories have mode 0700 and files 0600, whatever the umask`() async throws {
        for mask: mode_t in [0o000, 0o777] {
            let exerciser = try await Exerciser.start(
                temporary.path("store-\(mask)"),
                prefix: ["sh", "-c", "umask \(String(mask, radix: 8)); exec \"$@\"", "sh"]
            )
            #expect(try await exerciser.ask("create")?.hasPrefix("ok ") == true)
            #expect(try await exerciser.ask("spend state") == "yes")
            let root = temporary.path("store-\(mask)")
            let everything = try [root] + files.subpathsOfDirectory(atPath: root).map { "\(root)/\($0)" }
            #expect(everything.count == 9)
            for path in everything {
                let attributes = try files.attributesOfItem(atPath: path)
                let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
                #expect(attributes[.posixPermissions] as? Int == (isDirectory ? 0o700 : 0o600))
            }
        }
    }

    @Test(arguments: [0o701, 0o710, 0o750, 0o755, 0o777, 0o1777])
    func `a state directory that other users can access is rejected`(_ mode: Int) throws {
        for part in ["", "/sessions", "/spent"] {
            _ = try open()
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path + part)
            expectRefusal("chmod 700")
            try files.removeItem(atPath: path)
        }
    }

    @Test func `a symbolic link, a file or a path without a parent instead of a state directory is rejected`() throws {
        _ = try open()
        let link = temporary.path("link")
        try files.createSymbolicLink(atPath: link, withDestinationPath: path)
        for spelling in ["", "/", "///"] { expectRefusal("symbolic link", path: link + spelling) }
        let file = temporary.path("file")
        #expect(files.createFile(atPath: file, contents: nil))
        expectRefusal("symbolic link", path: file)
        expectRefusal("does not exist", path: temporary.path("no/store"))
        expectRefusal("does not exist", path: "")
        try files.removeItem(atPath: path + "/sessions")
        try files.createSymbolicLink(atPath: path + "/sessions", withDestinationPath: temporary.path)
        expectRefusal("symbolic link")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `directories and records of another user are rejected`() async throws {
        _ = try open()
        try files.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path + "/sessions")
        expectRefusal("belongs to user nobody")
        try files.setAttributes([.ownerAccountID: 0], ofItemAtPath: path + "/sessions")
        let directory = try StoreDirectory()
        let (ticket, record) = try await directory.record()
        try files.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: record)
        #expect(try await directory.store.session(for: ticket, now: .testStart) == nil)
    }

    @Test func `a missing state directory is created at start and not later`() async throws {
        let store = try open()
        let states = Vault(in: store).states
        let ticket = try await store.sessions.create(.example(), now: .testStart)
        try files.moveItem(atPath: path, toPath: path + "-away")
        await #expect(throws: StoreError.self) { try await store.sessions.create(.example(), now: .testStart) }
        await #expect(throws: StoreError.self) { try await states.spend("state", expires: .testStart) }
        #expect(!files.fileExists(atPath: path))
        try files.moveItem(atPath: path + "-away", toPath: path)
        #expect(try await store.sessions.session(for: ticket, now: .testStart) != nil)
        _ = try await store.sessions.create(.example(), now: .testStart)
    }

    @Test func `deleted directories of a running store are created again`() async throws {
        let store = try open()
        let states = Vault(in: store).states
        for part in ["/sessions", "/spent"] {
            let ticket = try await store.sessions.create(.example(), now: .testStart)
            #expect(try await states.spend("state\(part)", expires: .testStart))
            try files.removeItem(atPath: path + part)
            if part == "/sessions" { #expect(try await store.sessions.session(for: ticket, now: .testStart) == nil) }
            try await store.sessions.remove(ticket)
            let other = try await store.sessions.create(.example(), now: .testStart)
            #expect(try await store.sessions.session(for: other, now: .testStart) != nil)
            #expect(try await states.spend("other\(part)", expires: .testStart))
        }
    }

    @Test func `a store that replaces another is used without a restart, even for reading`() async throws {
        let reader = try open()
        let other = try FileStore(directory: temporary.path("other"))
        let ticket = try await other.sessions.create(.example(), now: .testStart)
        #expect(try await reader.sessions.session(for: ticket, now: .testStart) == nil)
        try files.moveItem(atPath: path, toPath: path + "-old")
        try files.moveItem(atPath: temporary.path("other"), toPath: path)
        let end = ContinuousClock.now + .seconds(5)
        var found: Session?
        while found == nil, ContinuousClock.now < end {
            found = try await reader.sessions.session(for: ticket, now: .testStart)
            await Task.yield()
        }
        #expect(found != nil)
    }

    @Test func `lost and restored permissions need no restart, and an unreadable record affects no other`()
        async throws
    {
        // Root may do everything, so if this runs as root, the store runs as nobody.
        let user = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        if geteuid() == 0 { try files.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: temporary.path) }
        let exerciser = try await Exerciser.start(path, prefix: user)
        let tickets = try await [exerciser.ask("create"), exerciser.ask("create")].map { answer in
            try String(#require(answer?.split(separator: " ").last))
        }
        let record = try #require(
            try files.subpathsOfDirectory(atPath: path + "/sessions").first { $0.count == 33 }
        )
        func check() async throws -> [String?] {
            [try await exerciser.ask("check \(tickets[0])"), try await exerciser.ask("check \(tickets[1])")]
        }
        let both = ["session 782bbtaQ", "session 782bbtaQ"]
        #expect(try await check() == both)
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: path + "/sessions/" + record)
        #expect(Set(try await check()) == ["session 782bbtaQ", "none"])
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/sessions/" + record)
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: path + "/sessions")
        #expect(try await check() == ["error unusable", "error unusable"])
        #expect(try await exerciser.ask("create") == "error unusable")
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path + "/sessions")
        #expect(try await check() == both)
        #expect(try await exerciser.ask("create")?.hasPrefix("ok ") == true)
    }
}
