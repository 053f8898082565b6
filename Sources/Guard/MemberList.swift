import EventLog
import Synchronization

/// A watched file of members, one `subject=…`, `email=…` or `email-domain=…` a line; `#` begins a comment.
///
/// A change counts within a second. A line that is no entry leaves the list as it was before and is logged; a file that
/// cannot be read is no list, and a rule that needs it then admits nobody.
package final class MemberList: Sendable {
    private enum Seen: Equatable {
        case nothing
        case file(ListFile.Stamp)
        case fault(ListFile.Fault)
    }

    private struct State {
        var members: Set<MemberPattern>?
        var seen = Seen.nothing
        var looked: ContinuousClock.Instant
    }

    private static let patience = Duration.seconds(1)

    private let file: ListFile
    private let log: Log
    private let state: Mutex<State>

    init(path: String, log: Log) {
        file = ListFile(path: path)
        self.log = log
        state = Mutex(State(looked: .now))
        look()
    }

    /// The entries; nil if the file cannot be read.
    package var members: Set<MemberPattern>? {
        let now = ContinuousClock.now
        // Whoever finds the look overdue takes it, outside the lock; the others go on with what is known.
        let isOverdue = state.withLock { state in
            guard now - state.looked >= Self.patience else { return false }
            state.looked = now
            return true
        }
        if isOverdue { look() }
        return state.withLock(\.members)
    }

    /// What is wrong with the file at this moment, and nil if nothing is.
    package var fault: String? {
        do throws(ListFile.Fault) {
            _ = try file.stamp()
            _ = try file.members()
            return nil
        } catch {
            return error.description
        }
    }

    package var path: String { file.path }

    /// The file, if not every user of the machine may read it.
    package var restrictedPath: String? { file.isForEverybody ? nil : file.path }

    private func look() {
        let found: Seen
        do throws(ListFile.Fault) {
            found = .file(try file.stamp())
        } catch {
            found = .fault(error)
        }
        // Remembered whatever the content is, so that each fault is complained about once.
        let isNew = state.withLock { state in
            defer { state.seen = found }
            return state.seen != found
        }
        guard isNew else { return }
        do throws(ListFile.Fault) {
            if case .fault(let fault) = found { throw fault }
            let members = try file.members()
            state.withLock { $0.members = members }
            log(LogEvent(.info, "list-read", fields: [("file", file.path), ("entries", String(members.count))]))
        } catch {
            if error.isUnreadable { state.withLock { $0.members = nil } }
            let reason = error.isUnreadable ? Denial.listUnreadable.rawValue : "list-invalid"
            let isKept = state.withLock { $0.members != nil }
            let effect = isKept ? "the list as it was stays in force" : "nobody passes"
            let fields: [LogEvent.Field] = [("detail", error.description), ("effect", effect)]
            log(LogEvent(.error, "list-refused", reason: reason, fields: fields))
        }
    }
}
