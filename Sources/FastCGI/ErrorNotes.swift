package import HTTP
import Synchronization

/// Short notes about requests under way, which a server sends with their answers for the web server's error log.
///
/// They go into the stream FCGI_STDERR (FastCGI 1.0 §5.3). A request without a note costs one load of a number.
package final class ErrorNotes: Sendable {
    private struct Entry {
        let id: RequestID
        let text: String
        let deadline: ContinuousClock.Instant
    }

    /// Requests under way with a note are few, because a note is added shortly before the answer.
    private static let capacity = 256
    /// Bytes for one request: nginx reads the notes into the same buffer as the header of the answer.
    private static let sizeLimit = 300
    /// No request is under way for longer; its answer may have been lost.
    private static let lifetime = Duration.seconds(60)

    private let entries = Mutex<[Entry]>([])
    private let count = Atomic(0)

    package init() {}

    /// Adds a note to the answer of a request; drops the oldest note if there are too many.
    package func add(_ text: String, to id: RequestID) {
        let deadline = ContinuousClock.now + Self.lifetime
        entries.withLock { entries in
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(Entry(id: id, text: text, deadline: deadline))
            count.store(entries.count, ordering: .relaxed)
        }
    }

    /// Removes and returns the notes for an answer; nil if there are none.
    ///
    /// The caller must have received the answer from the thread that added the notes.
    func take(for id: RequestID) -> String? {
        guard count.load(ordering: .relaxed) > 0 else { return nil }
        let now = ContinuousClock.now
        let texts = entries.withLock { entries in
            let texts = entries.filter { $0.id == id }.map(\.text)
            entries.removeAll { $0.id == id || $0.deadline < now }
            count.store(entries.count, ordering: .relaxed)
            return texts
        }
        guard !texts.isEmpty else { return nil }
        return String(decoding: texts.joined(separator: "; ").utf8.prefix(Self.sizeLimit), as: UTF8.self)
    }
}
