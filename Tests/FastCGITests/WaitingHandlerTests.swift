import FastCGI
import Glibc
import HTTP
import TestSupport
import Testing

/// A handler that waits releases its worker, and a worker writes its answer.
struct WaitingHandlerTests {
    @Test func `many waiting handlers do not delay other requests`() async throws {
        let gate = Gate()
        let server = try RunningServer { request in
            if request.path == "/wait" { await gate.pass() }
            return try .text("\(request.path) \(request.query)")
        }
        var waiting: [FastCGIClient] = []
        for number in 0..<100 {
            let client = try server.client()
            let parameters = [("REQUEST_METHOD", "GET"), ("SCRIPT_NAME", "/wait"), ("QUERY_STRING", "\(number)")]
            try await client.send(FastCGIRecords.request(parameters, keep: true))
            waiting.append(client)
        }
        await gate.arrived(100)
        let answer = try await server.exchange(FastCGIRecords.request(path: "/healthy"), within: .seconds(2))
        #expect(answer.bodyText == "/healthy ")
        gate.open()
        for (number, client) in waiting.enumerated() {
            #expect(try await client.answer().bodyText == "/wait \(number)")
            #expect(try await client.exchange(FastCGIRecords.request(path: "/next")).bodyText == "/next ")
        }
    }

    @Test func `a handler starts on a worker and continues on another thread after waiting`() async throws {
        let gate = Gate()
        var options = ServerOptions.forTests()
        options.workers = 1
        let server = try RunningServer(options) { request in
            let before = pthread_self()
            if request.path == "/wait" { await gate.pass() }
            return try .text("\(before == pthread_self())")
        }
        #expect(try await server.exchange(FastCGIRecords.request(path: "/")).bodyText == "true")
        let client = try server.client()
        try await client.send(FastCGIRecords.request(path: "/wait"))
        await gate.arrived(1)
        // The only worker answers this, so it has left the waiting handler before the gate opens.
        #expect(try await server.exchange(FastCGIRecords.request(path: "/")).bodyText == "true")
        gate.open()
        #expect(try await client.answer().bodyText == "false")
    }

    @Test func `a long answer of a handler that waited reaches a slow peer`() async throws {
        let body = [UInt8](repeating: 65, count: 2_000_000)
        let server = try RunningServer { _ in
            await Task.yield()
            return Response(.ok, body: body)
        }
        let clients = try (0..<5).map { _ in try server.client() }
        for client in clients { try await client.send(FastCGIRecords.request(path: "/")) }
        for client in clients { #expect(try await client.answer().body == body) }
    }

    @Test func `a peer that disconnects while its handler waits has no effect on others`() async throws {
        let gate = Gate()
        let server = try RunningServer { request in
            if request.path == "/wait" { await gate.pass() }
            return try .text(request.path)
        }
        for _ in 0..<5 { try await server.client().send(FastCGIRecords.request(path: "/wait")) }
        await gate.arrived(5)
        gate.open()
        #expect(try await server.exchange(FastCGIRecords.request(path: "/after")).bodyText == "/after")
    }
}
