package import EventLog
import Synchronization

/// A watched file of members: one `subject=…`, `email=…` or `email-domain=…` per line; `#` begins a comment.
///
/// A change takes effect within a second. If a line is not an entry, the previous list stays in force and the fault is
/// logged. If the file cannot be read, a rule that needs it admits nobody.
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
        // The first caller after the interval reads the file, outside the lock; other callers use the known entries.
        let isOverdue = state.withLock { state in
            guard now - state.looked >= Self.patience else { return false }
            state.looked = now
            return true
        }
        if isOverdue { look() }
        return state.withLock(\.members)
    }

    /// The current fault of the file; nil if there is none.
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

    /// The path of the file, if some users of the machine cannot read it.
    package var restrictedPath: String? { file.isForEverybody ? nil : file.path }

    private func look() {
        let found: Seen
        do throws(ListFile.Fault) {
            found = .file(try file.stamp())
        } catch {
            found = .fault(error)
        }
        // Remember the stamp or fault even if the content is invalid, so that each fault is logged once.
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
            let effect = isKept ? "the previous list stays in use" : "nobody is admitted"
            let fields: [LogEvent.Field] = [("detail", error.description), ("effect", effect)]
            log(LogEvent(.error, "list-refused", reason: reason, fields: fields))
        }
    }
}

/// The lists that rules name, one for each file.
package final class MemberLists: Sendable {
    private let lists = Mutex<[String: MemberList]>([:])
    private let log: Log

    package init(log: Log) {
        self.log = log
    }

    /// Returns the list of a file.
    ///
    /// It is called when a rule is parsed, not for each request, so a lock is fast enough.
    func list(at path: String) -> MemberList {
        lists.withLock { lists in
            if let list = lists[path] { return list }
            let list = MemberList(path: path, log: log)
            lists[path] = list
            return list
        }
    }
}
