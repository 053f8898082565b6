/// What changes whenever a file, its content or its permissions change, or another file gets its name.
///
/// The time of change is a part of it, because any user of the file can set the time of modification back.
package struct FileStamp: Sendable, Equatable {
    /// Seconds after which every later change gives another stamp.
    ///
    /// The clock of a file system stands still for some milliseconds, so that two changes may have the same time.
    package static let resolution = 1.0

    private let identity: FileStatus.Identity
    private let size: Int
    private let modified: Int64
    private let changed: Int64

    package init(_ status: FileStatus) {
        (identity, size, modified, changed) = (status.identity, status.size, status.modified, status.changed)
    }

    /// Seconds between the last change and `now`, in seconds since 1970; negative if the clock was set back.
    package func age(at now: Double) -> Double { now - Double(changed) / 1e9 }
}
