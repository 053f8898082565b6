import Glibc
import Synchronization

/// One accepted connection, closed when the last owner lets go of it.
///
/// @unchecked Sendable because it has one owner at a time, a worker or the table of parked connections, and it
/// changes hands under that table's lock or through an exchange's atomic state.
final class Connection: @unchecked Sendable {
    /// What the connection waits for while it is parked.
    enum Stage {
        /// The first byte of a request.
        case idle
        /// The rest of a request.
        case receiving
        /// Room for the rest of an answer.
        case sending
    }

    let number: Int32
    var stage = Stage.idle
    /// When patience ends; set once for a request, so that a drip of bytes does not extend it.
    var deadline: ContinuousClock.Instant?
    /// What the connection was last armed for in the epoll set; nil if it has not been there.
    var armed: UInt32?
    /// The connection has carried a request before.
    var isKept = false
    /// Something of a request may be unread when its answer has been sent.
    var mayHaveInput = false
    /// libfcgi closed the descriptor when it could not read from it.
    var isClosedByLibrary = false
    var assembly: Assembly?
    var outgoing: Outgoing?

    private let census: Census

    init(_ number: Int32, census: Census) {
        self.number = number
        self.census = census
        census.count.add(1, ordering: .relaxed)
    }

    deinit {
        if !isClosedByLibrary { _ = close(number) }
        census.count.subtract(1, ordering: .relaxed)
    }
}

/// How many connections are open.
final class Census: Sendable {
    let count = Atomic<Int>(0)
}
