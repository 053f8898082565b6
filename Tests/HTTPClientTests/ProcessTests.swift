import Foundation
import HTTP
import HTTPClient
import Testing

/// What concerns a whole process, so that each test has one of its own.
@Suite struct ProcessTests {
    @Test func `shutdown gives the thread and every descriptor back`() async {
        await #expect(processExitsWith: .success) {
            let server = try await FaultServer.shared.value
            let descriptors = try entries("/proc/self/fd").count
            for _ in 0..<3 {
                let client = try server.client()
                for listener in ["http", "good"] {
                    _ = try await client.send(ClientRequest(.get, server.url("ok", on: listener)))
                }
                let silence = try ClientRequest(.get, server.url("silence"))
                async let code = client.errorCode(of: silence)
                #expect(try threadNames().contains("http-client"))
                await client.shutdown()
                #expect(await code == .cancelled)
                #expect(try !threadNames().contains("http-client"))
            }
            #expect(try entries("/proc/self/fd").count == descriptors)
        }
    }

    @Test func `a client that is let go ends its thread`() async {
        await #expect(processExitsWith: .success) {
            do { _ = try CurlTransport() }
            let deadline = ContinuousClock.now + .seconds(5)
            while try threadNames().contains("http-client"), ContinuousClock.now < deadline { await Task.yield() }
            #expect(try !threadNames().contains("http-client"))
        }
    }

    @Test func `https goes through https_proxy unless no_proxy names the host`() async {
        await #expect(processExitsWith: .success) {
            let server = try await FaultServer.shared.value
            try setEnvironment("https_proxy", "http://127.0.0.1:\(server.port("http"))")
            setEnvironment("no_proxy", "127.0.0.1")
            let client = try server.client()
            let url = try server.url("ok", on: "good")
            _ = try await client.send(ClientRequest(.get, url))
            _ = try await client.send(ClientRequest(.get, url.replacing("localhost", with: "127.0.0.1")))
            #expect(try await server.seen("localhost:\(server.port("good"))", atLeast: 1).count == 1)
            #expect(try await server.seen("127.0.0.1:\(server.port("good"))").isEmpty)
            #expect(await client.errorCode(of: ClientRequest(.get, "https://localhost:1/")) == .unreachable)
            #expect(try await server.seen("localhost:1", atLeast: 1).count == 1)
            await client.shutdown()
        }
    }

    @Test func `plain http to this machine never goes through a proxy`() async {
        await #expect(processExitsWith: .success) {
            let server = try await FaultServer.shared.value
            for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
                setEnvironment(name, "http://127.0.0.1:1")
            }
            let client = try server.client()
            #expect(try await client.send(ClientRequest(.get, server.url("ok"))).status == 200)
            await client.shutdown()
        }
    }
}

private func setEnvironment(_ name: String, _ value: String) {
    // Unsafe because strings go to C, which copies them; in these processes no other thread reads the environment then.
    _ = unsafe setenv(name, value, 1)
}

private func entries(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
}

private func threadNames() throws -> [String] {
    try entries("/proc/self/task").compactMap { thread in
        // A thread may end between the two readings.
        try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
