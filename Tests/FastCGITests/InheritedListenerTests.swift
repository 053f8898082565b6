import Glibc
import HTTP
import TestSupport
import Testing

@testable import FastCGI

struct InheritedListenerTests {
    /// Duplicates these sockets to two consecutive descriptors, far from those in use; returns the first.
    private func duplicate(_ first: Listener, _ second: Int32) throws -> Int32 {
        let number = fcntl(first.number, F_DUPFD, 800)
        try #require(number >= 800 && dup2(second, number + 1) == number + 1)
        return number
    }

    private func environment(_ values: [String: String]) -> (String) -> String? {
        { values[$0] }
    }

    @Test func `systemd's descriptors are adopted, served, and usable by the next process`() async throws {
        let first = try Listener.tcp(host: "127.0.0.1", port: 0)
        let second = try Listener.tcp(host: "::1", port: 0)
        let number = try duplicate(first, second.number)
        let listeners = try Listener.inherited(
            from: number,
            environment: environment(["LISTEN_FDS": "2", "LISTEN_PID": "\(getpid())"])
        )
        #expect(listeners.map(\.number) == [number, number + 1])
        #expect(listeners.map(\.port) == [first.port, second.port])
        let server = try Server(options: .forTests(), listeners: listeners) { try .text($0.path) }
        let running = Background.run { try server.run() }
        let port = try #require(first.port)
        let answer = try await FastCGIClient(port: port).exchange(FastCGIRecords.request(path: "/systemd"))
        #expect(answer.bodyText == "/systemd")
        server.stop()
        try await running.value
        // The next process can use the socket, and finds the connections that arrived meanwhile.
        let client = try FastCGIClient(port: port)
        try await client.send(FastCGIRecords.request(path: "/next"))
        let next = try Server(options: .forTests(), listeners: [first]) { try .text($0.path) }
        let runningNext = Background.run { try next.run() }
        #expect(try await client.answer().bodyText == "/next")
        next.stop()
        try await runningNext.value
    }

    @Test func `descriptors for another process are not adopted`() throws {
        #expect(try Listener.inherited(environment: environment(["LISTEN_FDS": "1", "LISTEN_PID": "1"])).isEmpty)
        #expect(try Listener.inherited(environment: environment([:])).isEmpty)
    }

    @Test func `a listening descriptor 0 is adopted`() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener.tcp(host: "127.0.0.1", port: 0)
            try #require(dup2(listener.number, 0) == 0)
            let inherited = try Listener.inherited { _ in nil }
            #expect(inherited.map(\.port) == [listener.port])
            #expect(inherited.map(\.number) == [0])
        }
    }

    @Test func `a descriptor that does not listen, or that other machines can reach, is refused`() throws {
        #expect { try Listener.adopt(1) } throws: { "\($0)".contains("Socket operation on non-socket") }
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        #expect { try Listener.adopt(number) } throws: { "\($0)".contains("Socket operation on non-socket") }
        #expect(listen(number, 1) == 0)
        #expect { try Listener.adopt(number) } throws: { "\($0)".contains("loopback") }
    }
}
