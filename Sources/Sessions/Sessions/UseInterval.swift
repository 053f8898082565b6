package import struct FoundationEssentials.Date

/// How often a store notes that a session is used.
package enum UseInterval {
    /// Seconds between two notes: five minutes, or a twelfth of the idle limit if that is shorter.
    ///
    /// So a session ends at most that much before its idle limit, and a visit costs few writes.
    private static func seconds(idleLimit: Double) -> Double { min(300, idleLimit / 12) }

    /// Whether the time for the next note has come.
    ///
    /// A last use in the future, from when the clock was wrong, is corrected too.
    package static func isOver(since used: Date, at now: Date, idleLimit: Double) -> Bool {
        abs(now.timeIntervalSince(used)) >= seconds(idleLimit: idleLimit)
    }
}
