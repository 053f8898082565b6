import Sessions

import struct FoundationEssentials.Date

/// Reads and changes a whole store, with progress on standard error if it takes long.
struct SessionWalk: Sendable {
    /// Parts of the store that are read at the same time.
    private static let width = 4

    let store: Vault
    let now = Date()

    /// Reads all sessions.
    ///
    /// - Throws: `StartFailure` if a part of the store cannot be read.
    func sessions() throws(StartFailure) -> SessionList {
        let list = try waitForStore { () async throws(StoreError) in try await read() }
        if !list.unreadable.isEmpty { tellForeignRecords() }
        return list
    }

    /// Ends sessions.
    ///
    /// - Returns: how many ended.
    /// - Throws: `StartFailure` if the store fails; some of the sessions may have ended.
    func remove(_ ids: [SessionID]) throws(StartFailure) -> Int {
        try waitForStore { () async throws(StoreError) in
            var progress = Progress()
            var count = 0
            // Without IDs, too: the store confirms that none of the sessions comes back.
            for start in stride(from: 0, to: max(1, ids.count), by: 1_000) {
                count += try await store.sessions.remove(.ids(Array(ids[start..<min(start + 1_000, ids.count)])))
                progress.tell("removed \(count) of \(ids.count) sessions")
            }
            return count
        }
    }

    /// Removes expired sessions.
    ///
    /// - Returns: what was removed and what was left.
    /// - Throws: `StartFailure` if the store fails.
    func sweep() throws(StartFailure) -> SweepCounts {
        let counts = try waitForStore { () async throws(StoreError) in
            var progress = Progress()
            var counts = try await store.sweepMarks(now: now)
            for shard in 0..<RecordName.shardCount {
                counts += try await store.sweep(shard: shard, now: now)
                progress.tell("swept \(shard + 1) of \(RecordName.shardCount) parts of the store")
            }
            return counts
        }
        if counts.damaged > 0 { tellForeignRecords() }
        return counts
    }

    private func tellForeignRecords() {
        if let message = store.messageAboutForeignRecords() { Console.tell(message) }
    }

    /// The session whose ID begins with these digits.
    ///
    /// - Throws: `StartFailure` if there is none or more than one, or the store fails.
    func session(_ prefix: SessionIDPrefix) throws(StartFailure) -> ListedSession {
        let list = try waitForStore { () async throws(StoreError) in
            try await store.sessions.list(shard: prefix.shard, now: now)
        }
        return try list.live.only(prefix)
    }

    private func read() async throws(StoreError) -> SessionList {
        let result = await withTaskGroup(of: Result<SessionList, StoreError>.self) { group in
            for shard in 0..<Self.width { group.addTask { await part(shard) } }
            var (all, next, done) = (SessionList(), Self.width, 0)
            var progress = Progress()
            for await result in group {
                switch result {
                case .failure: return result
                case .success(let part): all += part
                }
                done += 1
                progress.tell("read \(done) of \(RecordName.shardCount) parts of the store: \(all.live.count) sessions")
                guard next < RecordName.shardCount else { continue }
                let shard = next
                group.addTask { await part(shard) }
                next += 1
            }
            return .success(all)
        }
        return try result.get()
    }

    private func part(_ shard: Int) async -> Result<SessionList, StoreError> {
        do throws(StoreError) {
            return .success(try await store.sessions.list(shard: shard, now: now))
        } catch {
            return .failure(error)
        }
    }
}

/// Reports the progress of a long walk on standard error, once a second.
private struct Progress {
    private var last = ContinuousClock.now

    mutating func tell(_ message: @autoclosure () -> String) {
        let now = ContinuousClock.now
        guard now - last >= .seconds(1) else { return }
        last = now
        Console.tell(message())
    }
}
