import Dispatch
import Foundation

/// Reads lines on a thread of its own, because waiting for them must not hold one of Swift's.
final class LineReader: @unchecked Sendable {
    // Unchecked because the compiler does not see that all of its state is used on the queue alone.
    private let queue = DispatchQueue(label: "line-reader")
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// Nil at the end; a last line without its end is none.
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
