import Sessions
import TestSupport
import Testing

import struct Foundation.Data
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

    private let ada = Identity(issuer: "i", subject: "Ada", email: "ada@example.com", emailVerified: true)
    private let bob = Identity(issuer: "i", subject: "Bob", email: "bob@other.example", emailVerified: false)

    @Test func `an allow list admits only the members it names, and ignores comments and blank lines`() throws {
        try write("# staff\r\n\n  subject=Ada  # the first\n\temail-domain = other.example\t\n#subject=Eve\n")
        let rule = try rule("allow=\(path)")
        #expect(rule.objection(to: ada) == nil)
        #expect(rule.objection(to: bob) == .notListed)
        #expect(rule.objection(to: Identity(issuer: "i", subject: "Eve")) == .notListed)
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

    @Test func `an invalid line keeps the previous list in use and is logged`() async throws {
        try write("subject=Ada\n")
        let rule = try rule("deny=\(path)")
        #expect(rule.objection(to: ada) == .listed)
        try write("subject=Bob\nAda Lovelace\n")
        for _ in 0..<400 where !lines.reasons.contains("list-invalid") {
            #expect(rule.objection(to: ada) == .listed)
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(rule.objection(to: ada) == .listed && rule.objection(to: bob) == nil)
        #expect(lines.texts.contains { $0.contains("line 2: “Ada Lovelace”") && $0.contains("stays in use") })
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
