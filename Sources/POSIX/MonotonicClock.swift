import Glibc

/// The clock for short durations, which costs a few nanoseconds and no system call.
package enum MonotonicClock {
    /// Nanoseconds since a fixed time before the program started.
    package static var nanoseconds: Int {
        var time = timespec()
        // unsafe because the call writes to the local variable through a pointer.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
    }
}
