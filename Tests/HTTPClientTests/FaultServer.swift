import Foundation
import HTTP
import HTTPClient
import Testing

/// A server in a child process that sends faulty answers; `Fixtures/answers.py` has the list.
///
/// It ends with this process, because its standard input is closed then.
final class FaultServer: Sendable {
    /// A request as it arrived.
    struct Seen: Decodable {
        let method: String
        let headers: [[String]]
        let body: String
        /// The number of its connection.
        let connection: Int

        func values(_ name: String) -> [String] {
            headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
        }
    }

    private struct Greeting: Decodable {
        let ports: [String: Int]
        let directory: String
    }

    /// One server for this process, because making certificates takes a while.
    static let shared = Task { try FaultServer() }

    private let greeting: Greeting
    private let process: Process

    private init() throws {
        let process = Process()
        let output = Pipe()
        // Debian's Python, because the tests need its packages.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/fault_server.py")
        process.arguments = ["-B", script.path]
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "the fault server did not start")
            line += piece
        }
        greeting = try JSONDecoder().decode(Greeting.self, from: line)
        self.process = process
    }

    /// The authority that signed the certificates of the good listeners.
    var authorityFile: String { greeting.directory + "/authority.pem" }

    func port(_ listener: String) throws -> Int {
        try #require(greeting.ports[listener])
    }

    /// The URL of an answer.
    func url(_ answer: String, token: String = "-", on listener: String = "http") throws -> String {
        let scheme = ["http", "other"].contains(listener) ? "http" : "https"
        return try "\(scheme)://localhost:\(port(listener))/\(answer)/\(token)"
    }

    /// The requests with a token, as soon as there are this many.
    func seen(_ token: String, atLeast count: Int = 0) async throws -> [Seen] {
        let transport = try CurlTransport()
        let response = try await transport.send(ClientRequest(.get, url("seen", token: "\(token)/\(count)")))
        await transport.shutdown()
        return try JSONDecoder().decode([Seen].self, from: Data(response.body))
    }

    /// A client that trusts the server's authority.
    func client(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) throws -> CurlTransport {
        try client(change, observer: { _ in })
    }

    /// The same, with an observer.
    func client(
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in },
        observer: @escaping CurlTransport.Observer
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.authorityFile = authorityFile
        change(&configuration)
        return try CurlTransport(configuration, observer: observer)
    }
}

extension CurlTransport.Configuration {
    /// Timeouts that a test can wait for.
    mutating func beImpatient() {
        connectTimeout = .milliseconds(250)
        totalTimeout = .milliseconds(300)
    }
}

/// A text that no other test uses.
func uniqueToken() -> String {
    String(UInt64.random(in: 0...UInt64.max), radix: 36)
}
