import Encoding
package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore: KeptFormStore {
    package var keptBytes: Int { keptLedger.bytes }

    package func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        if let refusal = try await refusal(of: form.body.count, from: client, now: now) { return refusal }
        let ticket = try Ticket(random: random)
        let seal = KeptFormSeal(ticket)
        let record = try seal.seal(form, expires: expires, random: random)
        _ = try await database.write(
            Statement(
                "INSERT INTO linkedin_signin.kept (id, record, expires) VALUES ($1, $2, $3)",
                .bytes(seal.id),
                .bytes(record),
                .time(expires)
            )
        )
        keptLedger.add(Self.name(seal.id), size: Self.keptSize(record.count), expires: expires, client: client)
        return .kept(ticket)
    }

    /// Nil if there is room, otherwise why there is none.
    private func refusal(of count: Int, from client: UInt64, now: Date) async throws(StoreError) -> KeepOutcome? {
        let size = Self.keptSize(count)
        let isFull = keptLedger.refusal(of: size, from: client) != nil
        if keptLedger.needsSurvey(now: now, isFull: isFull) { _ = try await sweepKept(now: now) }
        return keptLedger.refusal(of: size, from: client)
    }

    package func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        let seal = KeptFormSeal(ticket)
        let rows = try await database.read(
            Statement("SELECT record FROM linkedin_signin.kept WHERE id = $1 AND taken IS NULL", .bytes(seal.id))
        )
        return try open(rows[0], seal, now: now)
    }

    package func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        let seal = KeptFormSeal(ticket)
        let claim = Base64URL.encode(try random(16))
        let rows = try await database.write(
            Statement(
                """
                UPDATE linkedin_signin.kept SET taken = $2 WHERE id = $1 AND taken IS NULL RETURNING record
                """,
                .bytes(seal.id),
                .text(claim)
            )
        )
        do throws(StoreError) {
            if let form = try open(rows[0], seal, now: now) {
                return TakenForm(form: form, ticket: ticket, claim: claim)
            }
            if !rows[0].isEmpty { await delete(seal.id, claim) }
            return nil
        } catch {
            await delete(seal.id, claim)
            throw error
        }
    }

    package func putBack(_ taken: TakenForm) async throws(StoreError) {
        let rows = try await database.write(
            Statement(
                "UPDATE linkedin_signin.kept SET taken = NULL WHERE id = $1 AND taken = $2",
                .bytes(KeptFormSeal(taken.ticket).id),
                .text(taken.claim)
            )
        )
        guard rows[0].affected == 1 else { throw StoreError(.damaged, detail: "a taken form is gone") }
    }

    package func discard(_ taken: TakenForm) async {
        await delete(KeptFormSeal(taken.ticket).id, taken.claim)
    }

    /// What cannot be deleted is left to the sweeper.
    private func delete(_ id: [UInt8], _ claim: String) async {
        let statement = Statement(
            "DELETE FROM linkedin_signin.kept WHERE id = $1 AND taken = $2",
            .bytes(id),
            .text(claim)
        )
        if (try? await database.write(statement)) != nil { keptLedger.remove(Self.name(id)) }
    }

    private func open(_ row: Rows, _ seal: KeptFormSeal, now: Date) throws(StoreError) -> KeptForm? {
        guard let record = row.bytes(0) else { return nil }
        if let form = seal.open(record, now: now) { return form }
        guard KeptFormSeal.hasExpired(record, now: now) else {
            throw StoreError(.damaged, detail: "a kept form was changed after it was stored")
        }
        return nil
    }

    /// Removes what has expired of the kept forms, and counts the others anew.
    ///
    /// - Returns: how many were removed.
    func sweepKept(now: Date) async throws(StoreError) -> Int {
        let rows = try await database.write(
            Statement(
                // One that was taken is left for a while, in case it is put back.
                """
                DELETE FROM linkedin_signin.kept
                WHERE expires <= CASE WHEN taken IS NULL THEN $1 ELSE $1 - interval '2 minutes' END
                """,
                .time(now)
            ),
            Statement("SELECT id, octet_length(record), expires FROM linkedin_signin.kept")
        )
        let rest = rows[1]
        let files = (0..<rest.count).compactMap { row -> KeptFormLedger.File? in
            guard let id = rest.bytes(0, row: row), let size = rest.integer(1, row: row),
                let expires = rest.time(2, row: row)
            else { return nil }
            return KeptFormLedger.File(name: Self.name(id), size: Self.keptSize(Int(size)), expires: expires)
        }
        keptLedger.replace(with: files, now: now)
        return rows[0].affected
    }

    private static func name(_ id: [UInt8]) -> String { Base64URL.encode(id) }

    private static func keptSize(_ size: Int) -> Int { max(size, FileStore.keptMinimum) }
}
