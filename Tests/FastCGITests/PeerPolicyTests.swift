import FastCGI
import Glibc
import HTTP
import TestSupport
import Testing

struct PeerPolicyTests {
    @Test func `an allowed user is served`() async throws {
        let peers = try PeerPolicy(users: ["nobody", "\(getuid())"])
        let server = try RunningServer(.forTests { $0.peers = peers })
        #expect(try await server.exchange(FastCGIRecords.request(path: "/me")).bodyText == "/me")
    }

    @Test func `a user that is not allowed is disconnected`() async throws {
        let peers = PeerPolicy.only([getuid() + 1])
        let server = try RunningServer(.forTests { $0.peers = peers })
        #expect(try await server.client().isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .peerRefused(user: getuid()) } != nil)
    }

    @Test func `a kept connection of a user that is no longer allowed is closed at its next request`() async throws {
        let server = try RunningServer()
        let client = try server.client()
        #expect(try await client.exchange(FastCGIRecords.request(path: "/1", keep: true)).bodyText == "/1")
        let others = ServerOptions.forTests { $0.peers = .only([getuid(), getuid() + 1]) }
        try server.server.replace(options: others) { request in try .text(request.path) }
        #expect(try await client.exchange(FastCGIRecords.request(path: "/2", keep: true)).bodyText == "/2")
        let strict = ServerOptions.forTests { $0.peers = .only([getuid() + 1]) }
        try server.server.replace(options: strict) { request in try .text(request.path) }
        try await client.send(FastCGIRecords.request(path: "/3", keep: true))
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .peerRefused(user: getuid()) } != nil)
    }

    @Test func `allowed users are names or numbers that the system knows`() throws {
        #expect(try PeerPolicy(users: ["root", "33"]) == .only([0, 33]))
        #expect { try PeerPolicy(users: ["no-such-user"]) } throws: { "\($0)".contains("there is no such user") }
        #expect { try PeerPolicy(users: []) } throws: { "\($0)".contains("at least one") }
    }

    @Test func `the users of a TCP port cannot be restricted`() throws {
        let listener = try Listener.tcp(host: "127.0.0.1", port: 0)
        let options = ServerOptions.forTests { $0.peers = .only([0]) }
        #expect {
            try Server(options: options, listeners: [listener]) { try .text($0.path) }
        } throws: {
            "\($0)".contains("that needs a Unix socket")
        }
        #expect { try Server(listeners: []) { try .text($0.path) } } throws: { $0 is FastCGIError }
    }
}
