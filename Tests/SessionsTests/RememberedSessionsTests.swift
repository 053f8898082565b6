import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

/// Checks of sessions whose records were opened before.
@Suite(.timeLimit(.minutes(1))) struct RememberedSessionsTests {
    /// What another program, or another process of this one, can do with a record between two requests.
    enum Change: CaseIterable {
        case nothing, removal, update, truncation, otherBytes, otherRecord, restoration, symbolicLink, permissions
    }

    let disk = FaultyDisk()
    let directory: StoreDirectory
    /// Two seconds ahead of the system's clock, so that records are old enough to be remembered.
    let now = Date.now.addingTimeInterval(2)
    var store: SessionVault { directory.store }

    init() throws {
        directory = try StoreDirectory(files: disk.files)
    }

    private func session(subject: String = "782bbtaQ", lifetime: Double = 86_400) -> Session {
        .example(subject: subject, created: now, expires: now.addingTimeInterval(lifetime))
    }

    /// Stores a session and returns the path of its record.
    private func record(_ session: Session) async throws -> (ticket: Ticket, path: String) {
        let before = Set(try directory.files())
        let ticket = try await store.create(session, now: now)
        let added = Set(try directory.files()).subtracting(before)
        return (ticket, try #require(added.first))
    }

    /// Checks a session, and says how many files were opened.
    private func check(
        _ ticket: Ticket,
        withTokens: Bool = true,
        at time: Date? = nil
    ) async throws -> (session: CheckedSession?, opened: Int) {
        disk.heal()
        let session = try await store.check(ticket, withTokens: withTokens, now: time ?? now)
        return (session, disk.count(.open))
    }

    /// Files have nanoseconds, and dates have fewer digits.
    private func isClose(_ one: Date?, to other: Date) -> Bool {
        one.map { abs($0.timeIntervalSince(other)) < 0.001 } ?? false
    }

    @Test func `a check opens the record of an unchanged session once`() async throws {
        let ticket = try await store.create(session(), now: now)
        #expect(try await check(ticket) == (CheckedSession(session()), 1))
        for _ in 0..<3 { #expect(try await check(ticket) == (CheckedSession(session()), 0)) }
    }

    @Test func `a remembered session has times and identity, and neither tokens nor profile`() async throws {
        var kept = ""
        let ticket = try await store.create(session(), now: now)
        for _ in 0..<2 { dump(try await check(ticket).session, to: &kept) }
        #expect(kept.contains("782bbtaQ"))
        #expect(!kept.contains("access-canary") && !kept.contains("profile-canary"))
    }

    @Test(arguments: Change.allCases)
    func `every change of a record is seen at the next check`(_ change: Change) async throws {
        let (ticket, path) = try await record(session())
        let other = try await record(session(subject: "other"))
        for _ in 0..<2 { #expect(try await check(ticket, withTokens: false).session != nil) }
        try await make(change, ticket, path, other.path)
        let (seen, opened) = try await check(ticket, withTokens: false)
        #expect(opened == (change == .nothing ? 0 : 1))
        let stored = try await store.session(for: ticket, now: now)
        #expect(seen?.identity == stored?.identity && seen?.expires == stored?.expires)
        let remains: Set<Change> = [.nothing, .update, .restoration, .permissions]
        #expect((seen != nil) == remains.contains(change))
        if change == .update { #expect(seen?.identity.name == "changed") }
        // What is seen now is not what was remembered before.
        #expect(try await check(ticket, withTokens: false).session == seen)
    }

    @Test func `tokens are read again if the remembered session lacks them`() async throws {
        let ticket = try await store.create(session(), now: now)
        for opened in [1, 0] {
            let seen = try await check(ticket, withTokens: false)
            #expect(seen.session?.tokens == .unknown && seen.opened == opened)
        }
        for opened in [1, 0] { #expect(try await check(ticket) == (CheckedSession(session()), opened)) }
        // A caller that does not ask for tokens may see them.
        #expect(try await check(ticket, withTokens: false).opened == 0)
    }

    private func make(_ change: Change, _ ticket: Ticket, _ path: String, _ other: String) async throws {
        let files = FileManager.default
        let bytes = try Data(contentsOf: URL(filePath: path))
        let times = try files.attributesOfItem(atPath: path)
        switch change {
        case .nothing: break
        case .removal: try await store.remove(ticket)
        case .update: _ = try await store.update(ticket, now: now) { $0.identity.name = "changed" }
        case .truncation: #expect(unsafe truncate(path, off_t(bytes.count - 1)) == 0)
        case .otherBytes:
            // The same size in the same file, and the same time as before.
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            // One letter of the subject, in the readable header.
            let subject = try #require(bytes.range(of: Data("782bbtaQ".utf8)))
            var others = bytes
            others[subject.lowerBound] ^= 1
            try file.write(contentsOf: others)
            try file.close()
            try files.setAttributes([.modificationDate: times[.modificationDate] as Any], ofItemAtPath: path)
        case .otherRecord:
            try files.removeItem(atPath: path)
            try files.copyItem(atPath: other, toPath: path)
        case .restoration:
            try files.removeItem(atPath: path)
            #expect(try await check(ticket).session == nil)
            #expect(files.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
        case .symbolicLink:
            try files.moveItem(atPath: path, toPath: path + ".moved")
            try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        case .permissions: try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
    }

    @Test func `a remembered session ends at its end and at the idle limit`() async throws {
        let short = try await store.create(session(lifetime: 30), now: now)
        #expect(try await check(short).session != nil)
        #expect(try await check(short, at: now.addingTimeInterval(29.9)) == (CheckedSession(session(lifetime: 30)), 0))
        #expect(try await check(short, at: now.addingTimeInterval(30)).session == nil)
        let idle = try await store.create(session(), now: now)
        #expect(try await check(idle).session != nil)
        #expect(try await check(idle, at: now.addingTimeInterval(3_601)).session == nil)
    }

    @Test func `the use of a remembered session is noted once in five minutes`() async throws {
        let (ticket, path) = try await record(session())
        for seconds in stride(from: 0.0, through: 299, by: 46) {
            #expect(try await check(ticket, at: now.addingTimeInterval(seconds)).session != nil)
            #expect(try isClose(directory.modified(path), to: now))
        }
        let later = now.addingTimeInterval(300.5)
        #expect(try await check(ticket, at: later).session != nil)
        #expect(try isClose(directory.modified(path), to: later))
    }

    @Test func `a record that changed within the last second is read at each check`() async throws {
        let young = Date.now
        let ticket = try await store.create(session(), now: young)
        for _ in 0..<3 { #expect(try await check(ticket, at: young).opened == 1) }
    }

    @Test(arguments: [0, 256])
    func `sessions beyond the number of places are read again`(places: Int) async throws {
        let directory = try StoreDirectory(remembered: places, files: disk.files)
        var tickets: [(Ticket, String)] = []
        for number in 0..<200 {
            let subject = "member-\(number)"
            tickets.append((try await directory.store.create(session(subject: subject), now: now), subject))
        }
        // A slow disk may have needed longer for the records than `now` allows.
        let later = Date.now.addingTimeInterval(2)
        disk.heal()
        for _ in 0..<3 {
            for (ticket, subject) in tickets {
                #expect(
                    try await directory.store.check(ticket, withTokens: true, now: later)?.identity.subject == subject
                )
            }
        }
        let opened = disk.count(.open)
        // Most groups of places have room for all of their sessions.
        #expect(places == 0 ? opened == 600 : 200...550 ~= opened)
    }

    @Test func `sessions that are read once push out none that are read often`() async throws {
        let directory = try StoreDirectory(remembered: 256, files: disk.files)
        var tickets: [Ticket] = []
        for number in 0..<400 {
            tickets.append(try await directory.store.create(session(subject: "member-\(number)"), now: now))
        }
        let later = Date.now.addingTimeInterval(2)
        func opened(_ tickets: ArraySlice<Ticket>) async throws -> Int {
            disk.heal()
            for ticket in tickets {
                #expect(try await directory.store.check(ticket, withTokens: true, now: later) != nil)
            }
            return disk.count(.open)
        }
        let (often, once) = (tickets[..<100], tickets[100...])
        _ = try await opened(often)
        let before = try await opened(often)
        #expect(try await opened(once) == once.count)
        #expect(before < 50)
        #expect(try await opened(often) == before)
    }

    @Test func `a session that is read twice in a row takes the place of another one`() async throws {
        let directory = try StoreDirectory(remembered: 256, files: disk.files)
        var tickets: [Ticket] = []
        for number in 0..<600 {
            tickets.append(try await directory.store.create(session(subject: "member-\(number)"), now: now))
        }
        let later = Date.now.addingTimeInterval(2)
        for ticket in tickets {
            for _ in 0..<2 { #expect(try await directory.store.check(ticket, withTokens: true, now: later) != nil) }
            disk.heal()
            #expect(try await directory.store.check(ticket, withTokens: true, now: later) != nil)
            #expect(disk.count(.open) == 0)
        }
    }

    @Test func `a check leaves the time of access as it is`() async throws {
        let (ticket, path) = try await record(session())
        // An access before the last change: most systems would record the next one.
        let used = timespec(tv_sec: Int(now.timeIntervalSince1970), tv_nsec: 0)
        let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), used]
        #expect(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
        // A slow disk may have needed longer for the record than `now` allows.
        #expect(try await check(ticket, at: Date.now.addingTimeInterval(2)) == (CheckedSession(session()), 1))
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        #expect(status.st_atim.tv_sec == 1_000_000_000)
    }

    @Test func `checks and removals at the same time never bring a session back`() async throws {
        for _ in 0..<50 {
            let ticket = try await store.create(session(), now: now)
            _ = try await store.check(ticket, withTokens: true, now: now)
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { _ = try await store.check(ticket, withTokens: true, now: now) } }
                group.addTask { try await store.remove(ticket) }
                try await group.waitForAll()
            }
            #expect(try await store.check(ticket, withTokens: true, now: now) == nil)
        }
    }
}
