package import EventLog
import Synchronization

/// The lists that rules name, one for each file.
package final class MemberLists: Sendable {
    private let lists = Mutex<[String: MemberList]>([:])
    private let log: Log

    package init(log: Log) {
        self.log = log
    }

    /// The list in a file; asked for when a rule is parsed, so that the lock is far from the hot path.
    func list(at path: String) -> MemberList {
        lists.withLock { lists in
            if let list = lists[path] { return list }
            let list = MemberList(path: path, log: log)
            lists[path] = list
            return list
        }
    }
}
