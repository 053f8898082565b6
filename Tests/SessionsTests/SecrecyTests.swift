import Encoding
import Foundation
import Sessions
import TestSupport
import Testing

/// A stolen disk, a log or a hostile cookie reveals nothing.
@Suite struct SecrecyTests {
    let directory: StoreDirectory
    var store: SessionVault { directory.store }

    init() throws {
        directory = try StoreDirectory()
    }

    @Test func `no file name or content contains a cookie value, a token, a profile or a state`() async throws {
        var canaries = ["access-canary", "refresh-canary", "profile-canary", "state-canary"]
        let tokens = Tokens(accessToken: "access-canary", refreshToken: "refresh-canary")
        var tickets: [[UInt8]] = []
        for _ in 0..<20 {
            let ticket = try await store.create(.example(tokens: tokens), now: .testStart)
            canaries.append(ticket.cookieValue)
            tickets.append(try #require(Base64URL.decode(ticket.cookieValue)))
            _ = try await store.update(ticket, now: .testStart) { $0.tokens?.accessTokenExpires = nil }
        }
        #expect(try await directory.vault.states.spend("state-canary", expires: .testStart))
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path).joined(separator: "\n")
        for canary in canaries { #expect(!names.contains(canary)) }
        for path in try directory.files() + directory.files("spent") {
            let content = try Data(contentsOf: URL(fileURLWithPath: path))
            for canary in canaries { #expect(content.range(of: Data(canary.utf8)) == nil) }
            for ticket in tickets { #expect(content.range(of: Data(ticket)) == nil) }
        }
        // The same search finds the values that are meant to be readable.
        let record = try #require(try directory.files().first)
        let content = try Data(contentsOf: URL(fileURLWithPath: record))
        for readable in ["https://www.linkedin.com/oauth", "782bbtaQ", "Zoë 李", "zoe@example.com"] {
            #expect(content.range(of: Data(readable.utf8)) != nil)
        }
    }

    @Test func `tickets and tokens are never printed`() async throws {
        let ticket = try await store.create(.example(), now: .testStart)
        let session = Session.example()
        for text in ["\(ticket)", String(reflecting: ticket), "\(session)", String(reflecting: session)] {
            #expect(!text.contains(ticket.cookieValue))
            #expect(!text.contains("canary"))
        }
        var dumped = ""
        dump(ticket, to: &dumped)
        dump(session, to: &dumped)
        #expect(!dumped.contains("access-canary"))
    }

    @Test(arguments: [
        "", "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "ab/cdef", "\0", "AAAA\0",
        String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "A", count: 43) + "=",
        String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 42) + "+",
        String(repeating: "A", count: 42) + "/", String(repeating: "A", count: 42) + " ",
        " " + String(repeating: "A", count: 42), String(repeating: "A", count: 42) + "é",
        String(repeating: "A", count: 4_096), "\"" + String(repeating: "A", count: 43) + "\"",
    ])
    func `a cookie value that is not the base64url of 32 bytes is not a ticket`(_ value: String) {
        #expect(Ticket(cookieValue: value) == nil)
    }

    @Test func `a ticket in another letter case is another ticket`() async throws {
        let ticket = try await store.create(.example(), now: .testStart)
        for other in [ticket.cookieValue.uppercased(), ticket.cookieValue.lowercased()] {
            guard let other = Ticket(cookieValue: other), other != ticket else { continue }
            #expect(try await store.session(for: other, now: .testStart) == nil)
        }
        #expect(Ticket(cookieValue: ticket.cookieValue) == ticket)
    }

    @Test func `a state is not a ticket, and a ticket is not a state`() async throws {
        let ticket = try await store.create(.example(), now: .testStart)
        let state = Base64URL.encode([UInt8](repeating: 5, count: 32))
        #expect(try await directory.vault.states.spend(state, expires: .testStart))
        let impostor = try #require(Ticket(cookieValue: state))
        #expect(try await store.session(for: impostor, now: .testStart) == nil)
        #expect(try await directory.vault.states.spend(ticket.cookieValue, expires: .testStart))
        #expect(try await store.session(for: ticket, now: .testStart) != nil)
    }
}
