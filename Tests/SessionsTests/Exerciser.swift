import Dispatch
import Foundation
import Glibc

/// A store in another process, which answers orders and can be killed.
final class Exerciser: Sendable {
    private let process: Process
    private let input: FileHandle
    private let output: LineReader

    /// Starts the process and waits until its store is open.
    ///
    /// - Parameters:
    ///   - directory: the directory of the store.
    ///   - prefix: a command that runs the process, with its arguments.
    /// - Returns: the process.
    /// - Throws: `Refusal` if its store could not be opened.
    static func start(_ directory: String, prefix: [String] = []) async throws -> Exerciser {
        let exerciser = try Exerciser(directory, prefix: prefix)
        let answer = await exerciser.answer()
        guard answer == "ready" else { throw Refusal(answer: answer ?? "no answer: the process did not start") }
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

    /// Gives an order and waits for the first line of the answer that is not a `try` line.
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

    /// The next line, including `try` lines; nil when the process has ended.
    func line() async -> String? {
        await output.next()
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
    }

    deinit {
        // The process ends when its input ends, unless it holds a lock until it is killed.
        kill()
    }
}

/// Reads lines on a separate thread, because waiting must not occupy a thread of Swift's pool.
final class LineReader: @unchecked Sendable {
    // Unchecked because the compiler does not see that only the queue uses the state.
    private let queue = DispatchQueue(label: "line-reader")
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// The next line; nil at the end, which also ends an incomplete last line.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.read()) }
        }
    }

    private func read() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }
}
