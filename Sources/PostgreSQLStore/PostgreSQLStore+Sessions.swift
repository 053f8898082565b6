package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore: SessionStore {
    package func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        // One attempt is enough unless the random bytes repeat; a ticket must not be given twice.
        for _ in 0..<3 {
            let ticket = try Ticket(random: random)
            let seal = SessionSeal(ticket)
            let rows = try await database.write(
                Statement(
                    """
                    INSERT INTO linkedin_signin.session (id, member, record, expires, used)
                    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING
                    """,
                    .bytes(seal.id),
                    .bytes(session.identity.member.storedName),
                    .bytes(try seal.seal(session, random: random)),
                    .time(session.expires),
                    .time(now)
                )
            )
            if rows[0].affected == 1 { return ticket }
        }
        throw StoreError(.noRandom, detail: "random bytes repeat")
    }

    /// Reads from the database each time, because tokens are not kept in memory.
    package func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        let seal = SessionSeal(ticket)
        let row = try await read(seal)
        guard let (record, used) = row.stored, let session = seal.open(record) else { return nil }
        keep(CheckedSession(session), seal, used: used, row)
        return isLive(seal, expires: session.expires, used: used, now: now) ? session : nil
    }

    /// Finds only sessions in the near cache.
    package func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck {
        guard let cache else { return .mustWait }
        let seal = SessionSeal(ticket)
        guard let found = cache.find(seal) else { return .mustWait }
        return .known(isLive(seal, expires: found.session.expires, used: found.used, now: now) ? found.session : nil)
    }

    /// Begins a look-up; its answer is opened on the thread that asks for the rest of the check.
    package func beginCheck(
        _ ticket: Ticket,
        now: Date,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) {
        let seal = SessionSeal(ticket)
        cache?.countMiss()
        let mark = cache?.mark(seal)
        database.lookUp(seal.id) { [self] outcome in
            switch outcome {
            case .failure(let error): answer { () throws(StoreError) in throw error }
            case .success(let found):
                guard let proven = proof.confirmAtOnce(found.timeline) else {
                    return waitForProof(of: found, seal, now: now, since: mark, answer)
                }
                answer { self.checked(in: Row(stored: found.stored, mark: mark, proven: proven), seal, now: now) }
            }
        }
    }

    /// Continues with a check when the server that answered has proven to be the primary.
    private func waitForProof(
        of found: FoundRecord,
        _ seal: SessionSeal,
        now: Date,
        since mark: NearCache.Mark?,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) {
        Task(priority: .medium) {
            do throws(StoreError) {
                let proven = try await proof.confirm(found.timeline)
                answer { self.checked(in: Row(stored: found.stored, mark: mark, proven: proven), seal, now: now) }
            } catch {
                answer { () throws(StoreError) in throw error }
            }
        }
    }

    /// What a primary returned about a session, and what the near cache needs of the query.
    private struct Row {
        let stored: (record: [UInt8], used: Date)?
        let mark: NearCache.Mark?
        let proven: ContinuousClock.Instant
    }

    private func read(_ seal: SessionSeal) async throws(StoreError) -> Row {
        let mark = cache?.mark(seal)
        let found = try await database.lookUp(seal.id)
        // A former primary knows neither who signed out nor who signed in since.
        return Row(stored: found.stored, mark: mark, proven: try await proof.confirm(found.timeline))
    }

    private func checked(in row: Row, _ seal: SessionSeal, now: Date) -> CheckedSession? {
        guard let (record, used) = row.stored, let session = seal.check(record) else { return nil }
        keep(session, seal, used: used, row)
        return isLive(seal, expires: session.expires, used: used, now: now) ? session : nil
    }

    /// Keeps a session for checks.
    private func keep(_ session: CheckedSession, _ seal: SessionSeal, used: Date, _ row: Row) {
        if let mark = row.mark { cache?.remember(session, seal, used: used, since: mark, row.proven) }
    }

    package func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        let rows = try await database.read(
            Statement(
                """
                SELECT count(*) FROM linkedin_signin.session
                WHERE member = ANY ($1) AND expires > $2 AND used > $2 - $3 * interval '1 second'
                """,
                .byteArrays(issuers.names(of: member)),
                .time(now),
                .integer(Int64(idleLimit))
            )
        )
        return rows[0].integer(0).map { Int($0) }
    }

    /// Whether a session has not ended; counts as use if so.
    private func isLive(_ seal: SessionSeal, expires: Date, used stored: Date, now: Date) -> Bool {
        guard now < expires else { return false }
        guard UseInterval.isOver(since: stored, at: now, idleLimit: idleLimit) else { return true }
        let id = seal.id
        let used = lastUses.pending(id) ?? stored
        guard UseInterval.isOver(since: used, at: now, idleLimit: idleLimit) else { return true }
        guard now.timeIntervalSince(used) < idleLimit else { return false }
        lastUses.add(id, now)
        return true
    }
}

// MARK: - Updating

extension PostgreSQLStore {
    /// Changes a session while no other task or machine does.
    ///
    /// Meanwhile this holds a lease on the row, but neither a connection nor a lock of the server. Each lease
    /// increments the generation of the row: a holder that took too long finds another generation and writes nothing.
    ///
    /// - Throws: what `change` throws; `StoreError` with the code `.locked` if others took too long, or the change did;
    ///   `CancellationError` if the task was cancelled while it waited for others.
    package func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session? {
        let seal = SessionSeal(ticket)
        guard let lease = try await lease(seal) else { return nil }
        // After the change, no reader on this machine gets the previous session.
        defer { cache?.drop(seal.id) }
        guard let record = lease.row.bytes(0),
            let used = lease.row.time(1),
            let session = seal.open(record),
            isLive(seal, expires: session.expires, used: used, now: now)
        else {
            try await giveBack(seal, lease)
            return nil
        }
        var changed = session
        do {
            try await change(&changed)
        } catch {
            // The error is that of the change. A lease that cannot be returned ends by itself.
            _ = try? await giveBack(seal, lease)
            throw error
        }
        let isStored =
            changed == session ? try await giveBack(seal, lease) : try await store(changed, seal, lease, now: now)
        return isStored ? changed : nil
    }

    /// Longer than the calls to the provider in a change may take.
    ///
    /// The lease of a gateway that died ends after this time.
    private static let leaseSeconds: Int64 = 30

    private struct Lease {
        let row: Rows
        let generation: Int64
    }

    /// The row with the lease taken; nil if there is no such row.
    private func lease(_ seal: SessionSeal) async throws -> Lease? {
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
                    .bytes(seal.id),
                    .integer(Self.leaseSeconds)
                ),
                Self.exists(seal)
            )
            if let generation = rows[0].integer(2) { return Lease(row: rows[0], generation: generation) }
            guard !rows[1].isEmpty else { return nil }
            guard ContinuousClock.now < deadline else {
                throw StoreError(.locked, detail: "another update of the session takes too long")
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5..<1))
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    /// Stores the change and ends the lease; false if the session was removed meanwhile, because it must stay removed.
    private func store(
        _ session: Session,
        _ seal: SessionSeal,
        _ lease: Lease,
        now: Date
    ) async throws(StoreError) -> Bool {
        let rows = try await database.write(
            Statement(
                """
                UPDATE linkedin_signin.session
                SET record = $3, member = $4, used = $5, expires = $6, leased_until = '-infinity'
                WHERE id = $1 AND generation = $2
                """,
                .bytes(seal.id),
                .integer(lease.generation),
                .bytes(try seal.seal(session, random: random)),
                .bytes(session.identity.member.storedName),
                .time(now),
                .time(session.expires)
            ),
            Self.exists(seal)
        )
        if rows[0].affected == 1 { return true }
        guard rows[1].isEmpty else { throw StoreError(.locked, detail: "the update took longer than its lock lasts") }
        return false
    }

    /// Ends the lease; false if the session was removed meanwhile.
    @discardableResult
    private func giveBack(_ seal: SessionSeal, _ lease: Lease) async throws(StoreError) -> Bool {
        let rows = try await database.write(
            Statement(
                """
                UPDATE linkedin_signin.session SET leased_until = '-infinity' WHERE id = $1 AND generation = $2
                """,
                .bytes(seal.id),
                .integer(lease.generation)
            ),
            Self.exists(seal)
        )
        return !rows[1].isEmpty
    }

    private static func exists(_ seal: SessionSeal) -> Statement {
        Statement("SELECT 1 FROM linkedin_signin.session WHERE id = $1", .bytes(seal.id))
    }
}
