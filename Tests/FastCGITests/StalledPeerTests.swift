import FastCGI
import HTTP
import TestSupport
import Testing

/// Peers that send or take nothing do not occupy a worker and are disconnected in the end.
struct StalledPeerTests {
    private static let request = FastCGIRecords.request("POST", path: "/", body: [1, 2, 3], keep: true)

    @Test(arguments: [0, 4, 8, 16, 20, 30, 60])
    func `stalled peers, more than workers, do not delay other requests`(bytes: Int) async throws {
        let server = try RunningServer()
        var stalled: [FastCGIClient] = []
        for _ in 0..<3 {
            let client = try server.client()
            try await client.send(Array(Self.request[..<bytes]))
            stalled.append(client)
        }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/healthy"), within: .seconds(2))
        #expect(answer.bodyText == "/healthy")
        // The stalled ones are answered too.
        for client in stalled {
            #expect(try await client.exchange(Array(Self.request[bytes...])).bodyText == "/")
        }
    }

    @Test func `idle kept connections, more than workers, do not delay other requests`() async throws {
        let server = try RunningServer()
        var kept: [FastCGIClient] = []
        for _ in 0..<20 {
            let client = try server.client()
            #expect(try await client.exchange(Self.request).bodyText == "/")
            kept.append(client)
        }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/healthy"), within: .seconds(2))
        #expect(answer.bodyText == "/healthy")
        for client in kept { #expect(try await client.exchange(Self.request).bodyText == "/") }
    }

    @Test func `peers that do not take long answers do not delay other requests`() async throws {
        let body = [UInt8](repeating: 65, count: 2_000_000)
        let server = try RunningServer { request in
            request.path == "/long" ? Response(.ok, body: body) : try .text(request.path)
        }
        var stalled: [FastCGIClient] = []
        for _ in 0..<3 {
            let client = try server.client()
            try await client.send(FastCGIRecords.request(path: "/long"))
            stalled.append(client)
        }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/healthy"), within: .seconds(2))
        #expect(answer.bodyText == "/healthy")
        for client in stalled { #expect(try await client.answer().body == body) }
    }

    @Test(arguments: [0, 8, 30])
    func `a request that does not arrive completely times out`(bytes: Int) async throws {
        let server = try RunningServer(.forTests { $0.requestTimeout = .milliseconds(200) })
        let client = try server.client()
        try await client.send(Array(Self.request[..<bytes]))
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .timedOut(.request) } != nil)
    }

    @Test func `single bytes do not extend the request timeout`() async throws {
        let server = try RunningServer(.forTests { $0.requestTimeout = .milliseconds(300) })
        let client = try server.client()
        // Kept and idle: the time starts at the first byte of the request.
        #expect(try await client.exchange(Self.request).status == 200)
        let start = ContinuousClock.now
        await #expect(throws: FastCGIClient.Failure.self) {
            for byte in Self.request + Self.request {
                try await client.send([byte])
                if try await client.isClosed(within: .milliseconds(50)) { throw FastCGIClient.Failure.closed }
            }
        }
        #expect(.now - start < .seconds(5))
    }

    @Test func `an idle kept connection is closed without an event`() async throws {
        let server = try RunningServer(.forTests { $0.idleTimeout = .milliseconds(200) })
        let client = try server.client()
        #expect(try await client.exchange(Self.request).status == 200)
        #expect(try await client.isClosed(within: .seconds(5)))
        _ = await server.stop()
        let told = await server.event { if case .timedOut = $0 { true } else { false } }
        #expect(told == nil)
    }

    @Test func `an answer that the peer does not take times out`() async throws {
        let server = try RunningServer(.forTests { $0.answerTimeout = .milliseconds(200) }) { _ in
            Response(.ok, body: [UInt8](repeating: 65, count: 2_000_000))
        }
        let client = try server.client()
        try await client.send(Self.request)
        #expect(await server.event { $0 == .timedOut(.answer) } != nil)
        await #expect(throws: FastCGIClient.Failure.closed) { try await client.answer() }
    }
}
