package import Encoding
package import EventLog
import POSIX
import Synchronization

/// A watched file of members: one `subject=…`, `email=…` or `email-domain=…` per line; `#` begins a comment.
///
/// A change takes effect within a second. If the file cannot be read, or one of its lines is not an entry, a rule that
/// needs the list admits nobody.
package final class MemberList: Sendable {
    private struct State {
        var content: ListFile.Content
        /// The stamp of the file that was read; nil if the next look reads the file again.
        var stamp: FileStamp?
        var looked: ContinuousClock.Instant
    }

    private static let patience = Duration.seconds(1)

    private let file: ListFile
    private let log: Log
    private let state: Mutex<State>
    /// Locked while a thread looks at the file, so that an older content never replaces a newer one.
    private let looking = Mutex(())

    init(path: String, of provider: MemberProvider, log: Log) {
        file = ListFile(path: path, provider: provider)
        self.log = log
        let (content, stamp) = file.read()
        state = Mutex(State(content: content, stamp: stamp, looked: .now))
        report(content)
    }

    /// The entries, or the fault that keeps everyone out.
    var content: ListFile.Content {
        let now = ContinuousClock.now
        // The first caller after the interval reads the file; other callers use the known entries.
        let known: ListFile.Content? = state.withLock { state in
            guard now - state.looked >= Self.patience else { return state.content }
            state.looked = now
            return nil
        }
        if let known { return known }
        looking.withLockIfAvailable { _ in look() }
        return state.withLock(\.content)
    }

    /// The entries; nil if the list admits nobody because of a fault.
    package var members: Set<MemberPattern>? { try? content.get() }

    /// The fault of the file; nil if there is none.
    package var fault: Advice? { failure?.advice }

    /// Whether permissions keep this user from reading the file.
    package var isDenied: Bool { failure?.isDenied == true }

    /// Whether the file is not used because every user can write it.
    package var isExposed: Bool { failure?.isExposed == true }

    private var failure: ListFile.Fault? {
        if case .failure(let fault) = content { fault } else { nil }
    }

    package var path: String { file.path }

    /// The path of the file, if some users of the machine cannot read it.
    package var restrictedPath: String? { file.isForEverybody ? nil : file.path }

    /// Reads the file, even if it seems unchanged, and logs the result.
    fileprivate func readAgain() {
        looking.withLock { _ in
            adopt(file.read())
            report(state.withLock(\.content))
        }
    }

    private func look() {
        if let stamp = state.withLock(\.stamp), file.has(stamp) { return }
        // A file that could not be read is tried again each time, because nothing else shows that it can be read by now.
        if let news = adopt(file.read()) { report(news) }
    }

    /// Returns the content if it differs from the previous one, so that each fault is logged once.
    @discardableResult
    private func adopt(_ reading: (content: ListFile.Content, stamp: FileStamp?)) -> ListFile.Content? {
        let previous = state.withLock { state in
            defer { (state.content, state.stamp) = reading }
            return state.content
        }
        return previous == reading.content ? nil : reading.content
    }

    private func report(_ content: ListFile.Content) {
        switch content {
        case .success(let members):
            log(LogEvent(.info, .listRead, fields: [("file", file.path), ("entries", String(members.count))]))
        case .failure(let fault):
            let reason = fault.denial.rawValue
            let fields = [("detail", fault.advice.description), ("effect", "nobody is admitted")] as [LogEvent.Field]
            log(LogEvent(.error, .listRefused, reason: reason, fields: fields))
        }
    }
}

/// The lists that rules name, one for each file.
package final class MemberLists: Sendable {
    /// Whose members the lists and rules name.
    let provider: MemberProvider
    private let lists = Mutex<[String: MemberList]>([:])
    private let log: Log

    package init(of provider: MemberProvider = .other, log: Log) {
        self.provider = provider
        self.log = log
    }

    /// Returns the list of a file.
    ///
    /// It is called when a rule is parsed, not for each request, so a lock is fast enough.
    func list(at path: String) -> MemberList {
        lists.withLock { lists in
            if let list = lists[path] { return list }
            let list = MemberList(path: path, of: provider, log: log)
            lists[path] = list
            return list
        }
    }

    /// Reads all files again, also those that seem unchanged.
    func readAgain() {
        for list in lists.withLock({ Array($0.values) }) { list.readAgain() }
    }
}
