import Synchronization

/// What pages need in one language, read when the first visitor of that language comes.
///
/// Reading all languages took a third of the start, and most sites have visitors of one or two.
final class ContextOnDemand: Sendable {
    private let read: @Sendable () -> PageContext
    private let made = Mutex<PageContext?>(nil)

    init(_ read: @escaping @Sendable () -> PageContext) {
        self.read = read
    }

    var value: PageContext {
        made.withLock { made in
            if let made { return made }
            let value = read()
            made = value
            return value
        }
    }
}
