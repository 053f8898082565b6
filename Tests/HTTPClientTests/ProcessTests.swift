import Foundation
import HTTP
import HTTPClient
import Testing

/// Each test runs in its own process, because it checks properties of a process.
@Suite struct ProcessTests {
    @Test func `shutdown ends the thread and closes every descriptor`() async {
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
                #expect(try await becomesTrue { try !threadNames().contains("http-client") })
            }
            #expect(try await becomesTrue { try entries("/proc/self/fd").count == descriptors })
        }
    }

    @Test func `a released client ends its thread`() async {
        await #expect(processExitsWith: .success) {
            do { _ = try CurlTransport() }
            #expect(try await becomesTrue { try !threadNames().contains("http-client") })
        }
    }

    @Test func `a peer that is gone does not raise SIGPIPE`() async {
        await #expect(processExitsWith: .success) {
            let server = try await FaultServer.shared.value
            takeSignals()
            let client = try server.client()
            let token = uniqueToken()
            _ = try await client.send(ClientRequest(.get, server.url("drop", token: token, on: "good")))
            #expect(try await server.seen("\(token)-over", atLeast: 1).count == 1)
            let body = [UInt8](repeating: 0, count: 8 << 20)
            for answer in ["reset", "unread"] {
                let request = try ClientRequest(.post, server.url(answer, on: "good"), body: body)
                #expect(await client.errorCode(of: request) == .malformed)
            }
            await client.shutdown()
        }
    }

    @Test func `an old version of TLS is refused even if the system allows it`() async {
        await #expect(processExitsWith: .success) {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(uniqueToken()).cnf")
            defer { try? FileManager.default.removeItem(at: file) }
            let settings = """
                openssl_conf = openssl
                [openssl]
                ssl_conf = ssl
                [ssl]
                system_default = system
                [system]
                MinProtocol = TLSv1
                CipherString = ALL:@SECLEVEL=0
                """
            try settings.write(to: file, atomically: true, encoding: .utf8)
            setEnvironment("OPENSSL_CONF", file.path)
            let server = try await FaultServer.shared.value
            let client = try server.client()
            for listener in ["tls-1.0", "tls-1.1"] {
                let request = try ClientRequest(.get, server.url("ok", on: listener))
                #expect(await client.errorCode(of: request) == .untrusted)
            }
            #expect(await client.errorCode(of: try ClientRequest(.get, server.url("ok", on: "good"))) == nil)
            await client.shutdown()
        }
    }

    @Test func `https uses https_proxy, unless no_proxy names the host`() async {
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

    @Test func `plain http to this machine never uses a proxy`() async {
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

/// Lets SIGPIPE end the process, also in threads that this thread starts.
private func takeSignals() {
    signal(SIGPIPE, SIG_DFL)
    var none = sigset_t()
    // unsafe because the calls use a local variable through pointers.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}

private func setEnvironment(_ name: String, _ value: String) {
    // unsafe because the texts become C strings, which are copied, and because no other thread reads the environment.
    _ = unsafe setenv(name, value, 1)
}

private func entries(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
}

private func threadNames() throws -> [String] {
    try entries("/proc/self/task").compactMap { thread in
        // A thread may end between the two calls.
        try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Whether a condition holds within five seconds: the kernel lists a thread a moment longer than it runs.
private func becomesTrue(_ condition: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(5)
    while try !condition(), ContinuousClock.now < deadline { await Task.yield() }
    return try condition()
}
