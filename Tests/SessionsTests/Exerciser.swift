import Foundation
import Glibc

/// A store in another process, that can be asked, and killed.
final class Exerciser: Sendable {
    private let process: Process
    private let input: FileHandle
    private let output: LineReader

    /// Starts one, and waits until its store is open.
    ///
    /// - Parameters:
    ///   - directory: where its store is.
    ///   - prefix: a command that runs it, and its arguments.
    /// - Returns: the process.
    /// - Throws: `Refusal` if its store could not be opened.
    static func start(_ directory: String, prefix: [String] = []) async throws -> Exerciser {
        let exerciser = try Exerciser(directory, prefix: prefix)
        let answer = await exerciser.answer()
        guard answer == "ready" else { throw Refusal(answer: answer ?? "nothing: it did not start") }
        return exerciser
    }

    struct Refusal: Error {
        let answer: String
    }

    private init(_ directory: String, prefix: [String]) throws {
        let program = Bundle.main.bundlePath + "/store-exerciser"
        let command = prefix + [program, directory]
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0].contains("/") ? command[0] : "/usr/bin/env")
        process.arguments = command[0].contains("/") ? Array(command.dropFirst()) : command
        let (toProcess, fromProcess) = (Pipe(), Pipe())
        process.standardInput = toProcess
        process.standardOutput = fromProcess
        input = toProcess.fileHandleForWriting
        output = LineReader(fromProcess.fileHandleForReading)
        try process.run()
    }

    /// Gives an order, and waits for the first line of the answer that is not about a ticket to come.
    func ask(_ order: String) async throws -> String? {
        try give(order)
        return await answer()
    }

    func give(_ order: String) throws {
        try input.write(contentsOf: Data("\(order)\n".utf8))
    }

    func answer() async -> String? {
        while let line = await output.next() {
            if !line.hasPrefix("try ") { return line }
        }
        return nil
    }

    /// The next line, whatever it says; nil when the process has ended.
    func line() async -> String? {
        await output.next()
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
    }

    deinit {
        // Without its input the process ends by itself, but not if it holds something until it is killed.
        kill()
    }
}
