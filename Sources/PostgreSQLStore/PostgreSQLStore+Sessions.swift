package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore: Records {
    /// Finds only sessions in the near cache.
    package func find(_ name: RecordName, _ need: SessionNeed) -> FoundSession {
        // Tokens are not kept in memory.
        guard need != .record, let found = cache?.find(name) else { return .mustWait }
        return .remembered(found.session, used: found.used)
    }

    package func beginRead(
        _ name: RecordName,
        _ need: SessionNeed,
        _ answer: @escaping @Sendable (Result<SessionReading?, StoreError>) -> Void
    ) {
        if need != .record { cache?.countMiss() }
        let (id, mark) = (name.bytes, cache?.mark(name))
        database.lookUp(id) { [self] outcome in
            switch outcome {
            case .failure(let error): answer(.failure(error))
            case .success(let found):
                if let proven = proof.confirmAtOnce(found.timeline) {
                    return answer(.success(reading(found, id, mark, proven)))
                }
                Task(priority: .medium) {
                    do throws(StoreError) {
                        // A former primary knows neither who signed out nor who signed in since.
                        answer(.success(reading(found, id, mark, try await proof.confirm(found.timeline))))
                    } catch {
                        answer(.failure(error))
                    }
                }
            }
        }
    }

    private func reading(
        _ found: FoundRecord,
        _ id: [UInt8],
        _ mark: NearCache.Mark?,
        _ proven: ContinuousClock.Instant
    ) -> SessionReading? {
        guard let (record, used) = found.stored else { return nil }
        let validator = mark.map { SessionReading.Validator.row($0, proven: proven) }
        return SessionReading(bytes: record, used: lastUses.pending(id) ?? used, validator: validator)
    }

    package func remember(
        _ session: CheckedSession,
        _ name: RecordName,
        _ reading: SessionReading,
        used: Date,
        now: Date
    ) {
        guard case .row(let mark, let proven)? = reading.validator else { return }
        cache?.remember(session, name, used: used, since: mark, proven)
    }

    package func noteUse(_ record: UsedRecord, _ now: Date) {
        switch record {
        case .session(let name): lastUses.add(name.bytes, now)
        case .token(let id): lastTokenUses.add(id.bytes, now)
        }
    }
}

// MARK: - Changing

extension PostgreSQLStore {
    /// Meanwhile this holds a lease on the row, but neither a connection nor a lock of the server.
    ///
    /// Each lease increments the generation of the row: a holder that took too long finds another generation and writes
    /// nothing.
    package func change(
        _ name: RecordName,
        _ change: (_ bytes: [UInt8], _ used: Date) async throws -> StoredRecord?
    ) async throws -> Bool {
        let id = name.bytes
        guard let lease = try await lease(id) else { return false }
        // After the change, no reader on this machine gets the previous session.
        defer { cache?.drop(id) }
        var record: StoredRecord?
        do {
            record = try await change(lease.bytes, lastUses.pending(id) ?? lease.used)
        } catch {
            // The error is that of the change. A lease that cannot be returned ends by itself.
            _ = try? await end(lease, of: id)
            throw error
        }
        return try await end(lease, of: id, storing: record)
    }

    /// Longer than the calls to the provider in a change may take.
    ///
    /// The lease of a gateway that died ends after this time.
    private static let leaseSeconds: Int64 = 30

    private struct Lease {
        let bytes: [UInt8]
        let used: Date
        let generation: Int64
    }

    /// The row with the lease taken; nil if there is no such row.
    private func lease(_ id: [UInt8]) async throws -> Lease? {
        let deadline = ContinuousClock.now + lockPatience
        var pause = Duration.milliseconds(5)
        while true {
            let rows = try await database.write(
                Statement(
                    """
                    UPDATE linkedin_signin.session
                    SET generation = generation + 1, leased_until = clock_timestamp() + $2 * interval '1 second'
                    WHERE id = $1 AND leased_until < clock_timestamp()
                    RETURNING record, used, generation
                    """,
                    .bytes(id),
                    .integer(Self.leaseSeconds)
                ),
                Self.exists(id)
            )
            if let bytes = rows[0].bytes(0), let used = rows[0].time(1), let generation = rows[0].integer(2) {
                return Lease(bytes: bytes, used: used, generation: generation)
            }
            guard !rows[1].isEmpty else { return nil }
            guard ContinuousClock.now < deadline else {
                throw StoreError(.locked, detail: "another update of the session takes too long")
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5..<1))
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    /// Ends the lease, and stores a changed record; false if the session was removed meanwhile, because it must stay removed.
    private func end(
        _ lease: Lease,
        of id: [UInt8],
        storing record: StoredRecord? = nil
    ) async throws(StoreError) -> Bool {
        let (row, generation) = (Parameter.bytes(id), Parameter.integer(lease.generation))
        let condition = "leased_until = '-infinity' WHERE id = $1 AND generation = $2"
        let statement =
            if let record {
                Statement(
                    """
                    UPDATE linkedin_signin.session
                    SET record = $3, member = $4, used = $5, expires = $6, \(condition)
                    """,
                    row,
                    generation,
                    .bytes(record.bytes),
                    .bytes(record.header.identity.member.storedName),
                    .time(record.used),
                    .time(record.header.expires)
                )
            } else {
                Statement("UPDATE linkedin_signin.session SET \(condition)", row, generation)
            }
        let rows = try await database.write(statement, Self.exists(id))
        if record == nil || rows[0].affected == 1 { return !rows[1].isEmpty }
        guard rows[1].isEmpty else { throw StoreError(.locked, detail: "the update took longer than its lock lasts") }
        return false
    }

    private static func exists(_ id: [UInt8]) -> Statement {
        Statement("SELECT 1 FROM linkedin_signin.session WHERE id = $1", .bytes(id))
    }
}
