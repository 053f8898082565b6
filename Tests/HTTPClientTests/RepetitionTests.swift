import HTTP
import HTTPClient
import Synchronization
import Testing

/// HTTP/2 streams that end without an answer (RFC 9113 §8.7).
@Suite struct RepetitionTests {
    private let events = Mutexed([CurlTransport.Event]())

    private func client(of server: FaultServer) throws -> CurlTransport {
        let events = events
        return try server.client({ _ in }, observer: { event in events.value.withLock { $0.append(event) } })
    }

    private var seenEvents: [CurlTransport.Event] { events.value.withLock { $0 } }

    @Test(arguments: ["refuse", "goodbye", "goodbye-and-close"])
    func `a POST that the server did not process is repeated once, on a new connection`(fault: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let token = uniqueToken()
        let request = try ClientRequest(
            .post,
            server.url(fault, token: token, on: "http2-faults"),
            body: Array("code=1".utf8)
        )
        #expect(try await client.send(request).status == 200)
        let seen = try await server.seen(token)
        #expect(seen.map(\.body) == ["code=1", "code=1"])
        #expect(Set(seen.map(\.connection)).count == 2)
        #expect(seenEvents == [.repeats(host: "localhost", .streamRefused)])
        await client.shutdown()
    }

    @Test(arguments: ["refuse", "goodbye", "goodbye-and-close"])
    func `a POST that the server refuses twice fails as unsent`(fault: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let token = uniqueToken()
        let url = try server.url("\(fault)=always", token: token, on: "http2-faults")
        let error = try await #require(throws: TransportError.self) {
            try await client.send(ClientRequest(.post, url, body: [1]))
        }
        #expect(error.code == .unreachable && error.isUnsent, "\(error.detail)")
        #expect(try await server.seen(token).count == 2)
        await client.shutdown()
    }

    @Test(
        arguments: ["late-goodbye", "hang-up", "reset", "internal-error", "cancel", "downgrade"]
    )
    func `a POST that the server may have processed is not repeated`(fault: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let token = uniqueToken()
        let request = try ClientRequest(.post, server.url(fault, token: token, on: "http2-faults"), body: [1])
        let error = try await #require(throws: TransportError.self) { try await client.send(request) }
        #expect(error.code == .malformed && !error.isUnsent, "\(error.detail)")
        #expect(try await server.seen(token).count == 1)
        #expect(seenEvents.isEmpty)
        await client.shutdown()
    }

    @Test(arguments: ["refuse", "goodbye", "goodbye-and-close"])
    func `a GET that the server did not process is repeated on a new connection`(fault: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        for _ in 0..<3 {
            let token = uniqueToken()
            let url = try server.url(fault, token: token, on: "http2-faults")
            #expect(try await client.send(ClientRequest(.get, url)).status == 200)
            #expect(Set(try await server.seen(token).map(\.connection)).count == 2)
        }
        #expect(seenEvents == Array(repeating: .repeats(host: "localhost", .connectionEnded), count: 3))
        await client.shutdown()
    }

    @Test func `a GET is not repeated forever`() async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let token = uniqueToken()
        let url = try server.url("refuse=always", token: token, on: "http2-faults")
        #expect(await client.errorCode(of: ClientRequest(.get, url)) == .malformed)
        #expect(try await server.seen(token).count == 3)
        await client.shutdown()
    }

    @Test func `no call joins the connection of a POST`() async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let url = try server.url("none", token: uniqueToken(), on: "http2-faults")
        let numbers = try await withThrowingTaskGroup(of: (Method, String).self) { group in
            for index in 0..<60 {
                let method: Method = index % 3 == 0 ? .post : .get
                group.addTask {
                    let response = try await client.send(ClientRequest(method, url))
                    return (method, String(decoding: response.body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let posts = numbers.filter { $0.0 == .post }.map(\.1)
        let others = numbers.filter { $0.0 == .get }.map(\.1)
        #expect(Set(posts).count == 20)
        #expect(Set(posts).isDisjoint(with: others))
        await client.shutdown()
    }

    @Test func `two hundred calls reach a server that ends each connection after three`() async throws {
        let server = try await FaultServer.shared.value
        let client = try client(of: server)
        let url = try server.url("call", on: "http2-brief")
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var statuses: [Int] = []
                    for index in 0..<50 {
                        let method: Method = index % 2 == 0 ? .post : .get
                        statuses.append(try await client.send(ClientRequest(method, url)).status)
                    }
                    return statuses
                }
            }
            for try await statuses in group { #expect(statuses == Array(repeating: 200, count: 50)) }
        }
        await client.shutdown()
    }
}

/// A mutex that closures can share.
private final class Mutexed<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
