/// How often a store notes that a session is used.
package enum UseInterval {
    /// Seconds between two notes: five minutes, or a twelfth of the idle limit if that is shorter.
    ///
    /// So a session ends at most that much before its idle limit, and a visit costs few writes.
    package static func seconds(idleLimit: Double) -> Double { min(300, idleLimit / 12) }
}
