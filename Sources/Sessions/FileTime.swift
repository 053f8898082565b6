import Glibc
import POSIX

import struct FoundationEssentials.Date

extension FileStatus {
    /// The time of the last modification.
    var modificationDate: Date {
        let (seconds, nanoseconds) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }
}

extension timespec {
    /// The nearest time that a file system can store; a date outside of its range becomes its first or last second.
    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        // 2 to the 33rd is the year 2242: every file system of Linux that is in use keeps less or more than that.
        guard whole >= 0, whole < 8_589_934_592 else {
            self.init(tv_sec: whole > 0 ? 8_589_934_591 : 0, tv_nsec: 0)
            return
        }
        self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1_000_000_000)))
    }
}
