import struct FoundationEssentials.Date

extension FileStore {
    /// Removes what has expired of the kept requests, and counts the others anew.
    ///
    /// On the thread that adds and takes them, so that none comes or goes between the look and the sums.
    ///
    /// - Returns: how many were removed.
    func sweepKept(now: Date) throws(SystemError) -> Int {
        var removed = 0
        var rest: [KeptLedger.File] = []
        for name in try files.names(in: directories.kept) {
            let isUnfinished = TemporaryName.matches(name)
            guard isUnfinished || RecordName.isFlat(name),
                let status = try? files.status(name, in: directories.kept)
            else { continue }
            // One that is being written, or was taken, is somebody's for a while.
            let expires = status.modified.addingTimeInterval(isUnfinished ? 120 : 0)
            if now < expires {
                rest.append(.init(name: name, size: Self.keptSize(status.size), expires: expires))
            } else if (try? files.unlink(name, in: directories.kept)) != nil {
                removed += 1
            }
        }
        keptLedger.replace(with: rest, now: now)
        return removed
    }

    /// What a request of so many bytes counts for.
    static func keptSize(_ size: Int) -> Int {
        max(size, keptMinimum)
    }
}
