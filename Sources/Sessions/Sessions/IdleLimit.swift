package import struct FoundationEssentials.Date

/// When a session that is not used ends, and how often its use is noted.
package struct IdleLimit: Sendable {
    private let seconds: Double

    package init(_ limit: Duration) { seconds = limit / .seconds(1) }

    /// Whether a session has ended, because it was not used for the limit.
    package func isOver(since used: Date, at now: Date) -> Bool { now.timeIntervalSince(used) >= seconds }

    /// The latest last use with which a session has ended.
    func latestEnd(at now: Date) -> Date { now.addingTimeInterval(-seconds) }

    /// Whether the use of a session is to be noted: after five minutes, or a twelfth of the limit if that is shorter.
    ///
    /// So a session ends at most that much before its idle limit, and a visit costs few writes. A last use in the future, from
    /// when the clock was wrong, is corrected too.
    func isNoteDue(since used: Date, at now: Date) -> Bool {
        abs(now.timeIntervalSince(used)) >= min(300, seconds / 12)
    }
}
