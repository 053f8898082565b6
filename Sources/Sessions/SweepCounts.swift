/// What a sweep removed and what it left.
package struct SweepCounts: Sendable, Equatable {
    /// Sessions past their absolute end.
    package var expired = 0
    /// Sessions, and files that are no records although they have the names of such, that were not used for too long.
    package var idle = 0
    /// Marks of states too old to be accepted anyway.
    package var forgotten = 0
    /// Unfinished files of an hour ago: whoever wrote them is gone.
    package var strays = 0
    /// Forms whose senders did not come back in time.
    package var unclaimed = 0
    /// Sessions that live.
    package var live = 0
    /// Records of a newer version of this program, left as they are.
    package var newer = 0
    /// Files with the name of a record that are none, not yet idle.
    package var damaged = 0

    package init() {}

    package static func += (counts: inout SweepCounts, more: SweepCounts) {
        counts.expired += more.expired
        counts.idle += more.idle
        counts.forgotten += more.forgotten
        counts.strays += more.strays
        counts.unclaimed += more.unclaimed
        counts.live += more.live
        counts.newer += more.newer
        counts.damaged += more.damaged
    }
}
