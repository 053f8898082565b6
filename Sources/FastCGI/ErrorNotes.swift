package import HTTP
import Synchronization

/// Short notes about requests under way: texts, which a server sends with their answers for the web server's error log, and
/// reasons, by which it counts the answers.
///
/// Texts go into the stream FCGI_STDERR (FastCGI 1.0 §5.3). A request without a note costs one load of a number.
package final class ErrorNotes: Sendable {
    private struct Entry {
        let id: RequestID
        let text: String?
        let reason: String?
        let deadline: ContinuousClock.Instant
    }

    /// Requests under way with a note are few, because a note is added shortly before the answer.
    private static let capacity = 256
    /// Bytes for one request: nginx reads the notes into the same buffer as the header of the answer.
    private static let sizeLimit = 300
    /// No request is under way for longer; its answer may have been lost.
    private static let lifetime = Duration.seconds(60)

    /// The notes about one request.
    struct Notes: Equatable {
        /// Nil if there is nothing for the error log.
        var text: String?
        /// The last reason.
        var reason: String?
    }

    private let entries = Mutex<[Entry]>([])
    private let count = Atomic(0)

    package init() {}

    /// Adds a text to the answer of a request; drops the oldest note if there are too many.
    package func add(_ text: String, to id: RequestID) {
        add(text: text, reason: nil, to: id)
    }

    /// Says why a request is refused; drops the oldest note if there are too many.
    package func add(reason: String, to id: RequestID) {
        add(text: nil, reason: reason, to: id)
    }

    private func add(text: String?, reason: String?, to id: RequestID) {
        let deadline = ContinuousClock.now + Self.lifetime
        entries.withLock { entries in
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(Entry(id: id, text: text, reason: reason, deadline: deadline))
            count.store(entries.count, ordering: .relaxed)
        }
    }

    /// Removes and returns the notes for an answer.
    ///
    /// The caller must have received the answer from the thread that added the notes.
    func take(for id: RequestID) -> Notes {
        guard count.load(ordering: .relaxed) > 0 else { return Notes() }
        let now = ContinuousClock.now
        let found = entries.withLock { entries in
            let found = entries.filter { $0.id == id }
            entries.removeAll { $0.id == id || $0.deadline < now }
            count.store(entries.count, ordering: .relaxed)
            return found
        }
        let texts = found.compactMap(\.text)
        let text = String(decoding: texts.joined(separator: "; ").utf8.prefix(Self.sizeLimit), as: UTF8.self)
        return Notes(text: texts.isEmpty ? nil : text, reason: found.compactMap(\.reason).last)
    }
}
