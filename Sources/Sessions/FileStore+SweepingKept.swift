import struct Foundation.Date

extension FileStore {
    /// Removes what has expired of the kept requests.
    ///
    /// - Returns: what the others count for.
    @discardableResult
    func sweepKept(
        in directory: borrowing FileDescriptor,
        now: Date,
        counts: inout SweepCounts
    ) throws(SystemError) -> Int {
        var size = 0
        for name in try files.names(in: directory) {
            let isUnfinished = TemporaryName.matches(name)
            guard isUnfinished || RecordName.isFlat(name), let status = try? files.status(name, in: directory) else {
                continue
            }
            // One that is being written, or was taken, is somebody's for a while.
            let patience = isUnfinished ? 120.0 : 0
            if now.timeIntervalSince(status.modified) < patience {
                size += max(status.size, Self.keptMinimum)
            } else if (try? files.unlink(name, in: directory)) != nil {
                counts.unclaimed += 1
            }
        }
        return size
    }
}
