import OpenID
import Synchronization

import struct Foundation.Date

/// A clock that goes when it is told to.
final class TestClock: Sendable {
    private let time = Mutex(OpenIDClient.testTime)

    /// Seconds since 1970.
    var seconds: Double { time.withLock { $0 } }

    @Sendable func now() -> Date {
        Date(timeIntervalSince1970: seconds)
    }

    func advance(by seconds: Double) {
        time.withLock { $0 += seconds }
    }
}
