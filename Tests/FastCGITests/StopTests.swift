import Dispatch
import FastCGI
import Glibc
import HTTP
import TestSupport
import Testing

struct StopTests {
    @Test func `an idle server stops at once and removes its socket file`() async throws {
        let server = try RunningServer()
        let client = try server.client()
        #expect(try await client.exchange(FastCGIRecords.request(path: "/", keep: true)).status == 200)
        #expect(await server.stop() < .seconds(2))
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(throws: FastCGIClient.Failure.cannotConnect(ENOENT)) { try server.client() }
    }

    @Test func `a request in progress is answered before the server stops`() async throws {
        let gate = Gate()
        let server = try RunningServer { request in
            await gate.pass()
            return try .text(request.path)
        }
        let client = try server.client()
        try await client.send(FastCGIRecords.request(path: "/last", keep: true))
        await gate.arrived(1)
        server.server.stop()
        #expect(await server.event { $0 == .stopping(signal: nil) } != nil)
        gate.open()
        #expect(try await client.answer().bodyText == "/last")
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .stopped(abandoned: 0) } != nil)
    }

    @Test func `stuck peers and handlers are cut off at the end of the grace time`() async throws {
        let gate = Gate()
        let isCancelled = AsyncStream.makeStream(of: Bool.self)
        let server = try RunningServer(.forTests { $0.grace = .milliseconds(300) }) { request in
            await gate.pass()
            isCancelled.continuation.yield(Task.isCancelled)
            return try .text(request.path)
        }
        let halfway = try server.client()
        try await halfway.send(FastCGIRecords.begin())
        let waiting = try server.client()
        try await waiting.send(FastCGIRecords.request(path: "/"))
        await gate.arrived(1)
        let time = await server.stop()
        #expect(time > .milliseconds(290) && time < .seconds(2))
        #expect(try await halfway.isClosed(within: .seconds(5)))
        #expect(try await waiting.isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .stopped(abandoned: 2) } != nil)
        gate.open()
        #expect(await isCancelled.stream.first { _ in true } == true)
    }

    @Test func `a handler that blocks its worker does not prevent the server from stopping`() async throws {
        let lock = DispatchSemaphore(value: 0)
        let isBlocked = AsyncStream.makeStream(of: Void.self)
        let server = try RunningServer(.forTests { $0.grace = .milliseconds(300) }) { request in
            isBlocked.continuation.finish()
            Self.block(lock)
            return try .text(request.path)
        }
        let client = try server.client()
        try await client.send(FastCGIRecords.request(path: "/"))
        for await _ in isBlocked.stream {}
        #expect(await server.stop() < .seconds(2))
        #expect(await server.event { $0 == .stopped(abandoned: 1) } != nil)
        lock.signal()
    }

    private static func block(_ lock: DispatchSemaphore) {
        lock.wait()
    }

    @Test func `connections that wait to be accepted are served before the server stops`() async throws {
        // The workers never see them, because the server is stopped before it runs.
        let directory = try RunningServer.makeDirectory()
        let listener = try Listener.unix(path: directory + "/socket")
        let clients = try (0..<20).map { _ in try FastCGIClient(path: directory + "/socket") }
        for client in clients { try await client.send(FastCGIRecords.request(path: "/early")) }
        let server = try Server(options: .forTests(), listeners: [listener]) { try .text($0.path) }
        server.stop()
        try await Background.run { try server.run() }.value
        for client in clients { #expect(try await client.answer().bodyText == "/early") }
        // unsafe because the path becomes a C string, valid during the call.
        _ = unsafe rmdir(directory)
    }
}
