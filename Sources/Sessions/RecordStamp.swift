import POSIX

import struct FoundationEssentials.Date

/// What changes whenever another file has the name of a record, or a file is written.
///
/// A record is never written in place: every change puts another file in its place or removes it. So a session is as good as
/// its record as long as the name leads to a file with the same stamp.
struct RecordStamp: Sendable, Equatable {
    private let identity: FileStatus.Identity
    /// Bytes.
    private let size: Int
    /// Nanoseconds since 1970.
    private let modified: Int64
    /// Nanoseconds since 1970.
    private let changed: Int64

    /// The age in seconds that the last change of a record must have.
    ///
    /// The clock of the file system stands still for some milliseconds, so that two changes may have the same time.
    private static let youngest = 1.0

    init(_ status: FileStatus) {
        identity = status.identity
        size = status.size
        modified = status.modified
        changed = status.changed
    }

    /// Whether every later change gives another stamp.
    func isConclusive(at now: Date) -> Bool {
        now.timeIntervalSince1970 - Double(changed) / 1e9 > Self.youngest
    }
}
