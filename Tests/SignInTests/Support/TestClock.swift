import Synchronization

import struct Foundation.Date

/// A clock that stands still until a test advances it.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { time.withLock(\.self) }

    func advance(by seconds: Double) {
        time.withLock { $0.addTimeInterval(seconds) }
    }
}
