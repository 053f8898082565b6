import Synchronization

/// The page fields of one language, read when the first visitor of that language comes.
///
/// Reading all languages took a third of the start, and most sites have visitors of one or two.
final class FieldsOnDemand: Sendable {
    private let read: @Sendable () -> PageFields
    private let made = Mutex<PageFields?>(nil)

    init(_ read: @escaping @Sendable () -> PageFields) {
        self.read = read
    }

    var value: PageFields {
        made.withLock { made in
            if let made { return made }
            let value = read()
            made = value
            return value
        }
    }
}
