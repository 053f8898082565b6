import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of the tests' own, on a Unix socket, stopped when this process ends.
package final class PostgreSQLServer: Sendable {
    package struct Failure: Error {
        package let log: String
    }

    private struct Running {
        let process: Process
        let input: Pipe
        /// The server's first process.
        let number: Int32
    }

    private let directory: TemporaryDirectory
    private let settings: [String]
    private let running = Mutex<Running?>(nil)

    /// One for all tests that neither stop it nor change its settings.
    package static let shared = Task { try PostgreSQLServer(settings: ["fsync=off"]) }

    /// Makes a server and starts it.
    ///
    /// - Parameter settings: as in postgresql.conf, `name=value` each.
    /// - Throws: `Failure` with the log if it does not start.
    package init(settings: [String] = []) throws {
        directory = try TemporaryDirectory()
        self.settings = settings
        try start()
    }

    /// Where its socket is.
    package var path: String { directory.path }

    /// A connection string for one of its databases.
    package func target(_ database: String) -> String {
        "host=\(path) user=postgres dbname=\(database)"
    }

    /// Starts it again, with the databases that it had.
    package func start() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = tests.appendingPathComponent("postgresql-server")
        process.arguments = [path] + settings
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = line.split(separator: " ").last.flatMap({ Int32($0.trimmingCharacters(in: .newlines)) })
        else {
            throw Failure(log: (try? String(contentsOfFile: directory.path("server.log"), encoding: .utf8)) ?? line)
        }
        running.withLock { $0 = Running(process: process, input: input, number: number) }
    }

    /// Stops it as an operator does, and waits until it is gone.
    package func stop() {
        guard let server = running.withLock({ $0.take() }) else { return }
        try? server.input.fileHandleForWriting.close()
        server.process.waitUntilExit()
    }

    /// Sends a signal to its first process: SIGSTOP makes a server that accepts connections and never answers.
    package func signal(_ signal: Int32) {
        running.withLock { _ = $0.map { kill($0.number, signal) } }
    }

    deinit {
        stop()
    }
}
