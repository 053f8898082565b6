import POSIX
import Sessions
import TestSupport
import Testing

import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.FileAttributeKey
import class Foundation.FileManager
import class Foundation.NSNumber
import struct Foundation.URL

@testable import EventLog
@testable import Guard

struct MemberListTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let lines = Lines()

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/list"
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func rule(_ text: String) throws -> Requirement {
        try Requirement(text, lists: MemberLists(log: Log { [lines] in lines.append($0) }))
    }

    /// Asks repeatedly until the answer is the expected one, for longer than a list needs to notice a change.
    private func objection(_ rule: Requirement, to identity: Identity, becomes expected: Denial?) async throws -> Bool {
        for _ in 0..<400 {
            if rule.objection(to: identity) == expected { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    private let ada = Identity(
        provider: .linkedIn,
        issuer: "i",
        subject: "Ada",
        email: "ada@example.com",
        emailVerified: true
    )
    private let bob = Identity(
        provider: .linkedIn,
        issuer: "i",
        subject: "Bob",
        email: "bob@other.example",
        emailVerified: false
    )

    @Test func `an allow list admits only its members, and ignores comments and a byte order mark`() throws {
        try write("\u{FEFF}# staff\r\n\n  subject=Ada  # the first\n\temail-domain = other.example\t\n#subject=Eve\n")
        let rule = try rule("allow=\(path)")
        #expect(rule.objection(to: ada) == nil)
        #expect(rule.objection(to: bob) == .notListed)
        #expect(rule.objection(to: Identity(provider: .linkedIn, issuer: "i", subject: "Eve")) == .notListed)
    }

    @Test func `an empty allow list admits nobody`() throws {
        try write("# nobody yet\n")
        #expect(try rule("allow=\(path)").objection(to: ada) == .notListed)
    }

    @Test func `a deny list applies to unverified e-mail addresses`() throws {
        try write("email-domain=other.example\n")
        let rule = try rule("member deny=\(path)")
        #expect(rule.objection(to: bob) == .listed)
        #expect(rule.objection(to: ada) == nil)
    }

    @Test func `a changed list takes effect without a restart`() async throws {
        try write("subject=Ada\n")
        let rule = try rule("allow=\(path)")
        #expect(rule.objection(to: ada) == nil)
        try write("subject=Bob\n")
        #expect(try await objection(rule, to: ada, becomes: .notListed))
        #expect(rule.objection(to: bob) == nil)
    }

    @Test func `a list with an invalid line admits nobody until the line is corrected, and is logged once`()
        async throws
    {
        try write("subject=Ada\n")
        let rule = try rule("deny=\(path)")
        #expect(rule.objection(to: bob) == nil)
        try write("subject=Ada\nBob Lovelace\n")
        #expect(try await objection(rule, to: bob, becomes: .listInvalid))
        try write("subject=Ada\n")
        #expect(try await objection(rule, to: bob, becomes: nil))
        #expect(lines.reasons == ["list-invalid"])
        #expect(
            lines.texts.contains { $0.contains("\(path) line 2: “Bob Lovelace”") && $0.contains("nobody is admitted") }
        )
    }

    @Test(arguments: [
        "subject=Ada,Bob", "subject=Ada;", "subject=\"Ada\"", "subject=*", "subject=ada@example.com",
        "subject=urn:li:person:Ada", "subject=https://example.com/ada", "email=ada@example.com.",
        "email=*@example.com", "email=ada@-example.com", "email=ada@localhost", "email-domain=example.com.",
        "email-domain=example..com", "email-domain=*.example.com", "email-domain=example.com,example.org",
        "email-domain=example-.com", "email-domain=com", "email-domain=192.0.2.1",
    ])
    func `an entry that can match no member of LinkedIn is an error with file and line`(entry: String) throws {
        try write("subject=Ada\n\(entry)\n")
        for condition in ["allow", "deny"] {
            let lists = MemberLists(of: .linkedIn(), log: Log { [lines] in lines.append($0) })
            #expect(try Requirement("\(condition)=\(path)", lists: lists).objection(to: ada) == .listInvalid)
        }
        #expect(lines.texts.count { $0.contains("\(path) line 2: “") } == 2)
    }

    @Test func `every invalid line is named, and many of them are counted`() throws {
        try write((0..<7).map { "subject=Ada\nwrong\($0)\n" }.joined())
        let text = try #require(MemberLists(log: Log { _ in }).list(at: path).fault.map { "\($0)" })
        for number in 0..<5 { #expect(text.contains("line \(2 * number + 2): “wrong\(number)”")) }
        #expect(text.contains("; and 2 more lines") && !text.contains("wrong5"))
    }

    @Test func `a change that restores the time of modification gives another stamp`() throws {
        let set = { (text: String) in
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
            return try FileStatus(path: path)
        }
        let before = try set("subject=Ada\n")
        var after = try set("subject=Bob\n")
        while after.changed == before.changed { after = try set("subject=Bob\n") }
        #expect(after.modified == before.modified && after.size == before.size && after.identity == before.identity)
        #expect(FileStamp(after) != FileStamp(before))
    }

    @Test func `lists are read again on request, and the log says so`() throws {
        try write("subject=Ada\n")
        let rules = Rules(lists: MemberLists(log: Log { [lines] in lines.append($0) }))
        _ = try rules.reading("allow=\(path)").get()
        rules.readListsAgain()
        #expect(lines.texts.count { $0.contains("event=list-read") } == 2)
    }

    @Test func `a deleted list admits nobody until it exists again`() async throws {
        try write("subject=Ada\n")
        let rule = try rule("deny=\(path)")
        #expect(rule.objection(to: bob) == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await objection(rule, to: bob, becomes: .listUnreadable))
        try write("subject=Ada\n")
        #expect(try await objection(rule, to: bob, becomes: nil))
        #expect(lines.reasons == ["list-unreadable"])
    }

    @Test func `a list that every user can write, or that is not a regular file, is rejected`() throws {
        try write("subject=Ada\n")
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o666)], ofItemAtPath: path)
        #expect(try rule("allow=\(path)").objection(to: ada) == .listUnreadable)
        #expect(try rule("allow=\(directory.path)").objection(to: ada) == .listUnreadable)
        #expect(try rule("allow=\(path)-missing").objection(to: ada) == .listUnreadable)
    }
}
