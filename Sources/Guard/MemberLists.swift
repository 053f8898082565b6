package import EventLog
import Synchronization

/// The lists in rules, one for each file.
package final class MemberLists: Sendable {
    private let lists = Mutex<[String: MemberList]>([:])
    private let log: Log

    package init(log: Log) {
        self.log = log
    }

    /// The list in a file.
    ///
    /// Only parsing a rule calls this, so the lock is not on the hot path.
    func list(at path: String) -> MemberList {
        lists.withLock { lists in
            if let list = lists[path] { return list }
            let list = MemberList(path: path, log: log)
            lists[path] = list
            return list
        }
    }
}
