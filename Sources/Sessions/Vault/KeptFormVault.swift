package import struct FoundationEssentials.Date

/// Keeps forms while their senders sign in; a kept form can be read only with the ticket that `keep` returned.
package struct KeptFormVault: Sendable {
    /// The size that a kept form counts for at least, in bytes, so that their number stays small enough to list.
    package static let minimumByteCount = 16 << 10

    private let records: any Records
    private let counter: StoreCounter
    private let random: RandomBytes
    private let ledger: KeptFormLedger

    /// - Parameters:
    ///   - records: where the forms are.
    ///   - total: the maximum size of all forms together, in bytes.
    ///   - random: the source of tickets and nonces.
    ///   - counter: counts and times the operations.
    init(in records: any Records, total: Int, random: RandomBytes, counter: StoreCounter) {
        (self.records, self.random, self.counter) = (records, random, counter)
        ledger = KeptFormLedger(total: total)
    }

    /// The bytes of the kept forms, as far as this process knows.
    package var byteCount: Int { ledger.byteCount }

    /// Stores a form under a new ticket.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - client: a number for the client address, each of which has a share of the room. It is not stored.
    ///   - expires: when the form becomes unreadable and may be removed.
    ///   - now: the current time.
    /// - Returns: the ticket, or why there is no room.
    /// - Throws: `StoreError` if the form could not be stored; then nothing of it remains.
    package func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        try await counter.measure(.form) { () async throws(StoreError) in
            if let refusal = try await refusal(of: form, from: client, now: now) { return refusal }
            let ticket = try Ticket(random: random)
            let keys = KeptFormKeys(ticket)
            let nonce = try random(SealedBytes.nonceCount)
            let record = try KeptFormRecord.seal(form, expires: expires, key: keys.key, nonce: nonce)
            let entry = RecordEntry(name: keys.name, byteCount: record.count, ends: expires)
            if let refusal = ledger.reserve(entry, for: client) { return refusal }
            do throws(StoreError) {
                guard try await records.put(.record(record, .form, keys.name, ends: expires)) == 1 else {
                    throw StoreError(.noRandom, detail: "random bytes repeat")
                }
            } catch {
                ledger.remove(keys.name)
                throw error
            }
            ledger.settle(keys.name)
            return .kept(ticket)
        }
    }

    /// Rejects a form before it is sealed: when there is no room, a form of any size costs next to nothing.
    private func refusal(of form: KeptForm, from client: UInt64, now: Date) async throws(StoreError) -> KeepOutcome? {
        let refusal = ledger.refusal(of: form.body.count, from: client)
        guard ledger.needsSurvey(now: now, isFull: refusal != nil) else { return refusal }
        _ = try await sweep(now: now)
        return ledger.refusal(of: form.body.count, from: client)
    }

    /// Reads the form of a ticket and leaves it in the store; nil if it is unknown, expired or taken.
    ///
    /// - Throws: `StoreError` if the form is damaged or the store fails.
    package func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        try await counter.measure(.form) { () async throws(StoreError) in
            let keys = KeptFormKeys(ticket)
            guard let record = try await records.get(.form, keys.name) else { return nil }
            return try Self.open(record, keys, now: now)
        }
    }

    /// Takes the form of a ticket out of the store; nil if it is unknown, expired or taken.
    ///
    /// Only one of several callers, in this process or another, gets the form. Its room stays reserved until it is put back or
    /// discarded.
    ///
    /// - Throws: `StoreError` if the form is damaged, which also removes it, or if the store fails, which may have
    ///   removed it.
    package func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        try await counter.measure(.form) { () async throws(StoreError) in
            let keys = KeptFormKeys(ticket)
            guard let record = try await records.take(.form, keys.name) else { return nil }
            do throws(StoreError) {
                if let form = try Self.open(record, keys, now: now) {
                    ledger.hold(keys.name)
                    return TakenForm(form: form, ticket: ticket, record: record)
                }
            } catch {
                ledger.remove(keys.name)
                throw error
            }
            ledger.remove(keys.name)
            return nil
        }
    }

    /// Puts back a form that was taken and not used.
    ///
    /// - Throws: `StoreError` if that fails; then the form is lost.
    package func putBack(_ taken: TakenForm) async throws(StoreError) {
        try await counter.measure(.form) { () async throws(StoreError) in
            let name = KeptFormKeys(taken.ticket).name
            do throws(StoreError) {
                let ends = KeptFormRecord.expiry(taken.record) ?? .distantPast
                guard try await records.put(.record(taken.record, .form, name, ends: ends)) == 1 else {
                    throw StoreError(.damaged, detail: "another form has the name of a taken form")
                }
            } catch {
                ledger.remove(name)
                throw error
            }
            ledger.settle(name)
        }
    }

    /// Forgets a form that was taken.
    package func discard(_ taken: TakenForm) {
        ledger.remove(KeptFormKeys(taken.ticket).name)
    }

    /// Removes the forms that have expired, and counts the others.
    ///
    /// - Returns: how many were removed.
    /// - Throws: `StoreError` if the forms cannot be listed.
    func sweep(now: Date) async throws(StoreError) -> Int {
        let survey = ledger.beginSurvey(now: now)
        do throws(StoreError) {
            let swept = try await records.sweep(.records(.form), now: now)
            ledger.endSurvey(survey, swept.forms, now: now)
            return swept.counts.expired
        } catch {
            ledger.endSurvey(survey, nil, now: now)
            throw error
        }
    }

    private static func open(_ record: [UInt8], _ keys: KeptFormKeys, now: Date) throws(StoreError) -> KeptForm? {
        if let form = KeptFormRecord.open(record, key: keys.key, now: now) { return form }
        if let expiry = KeptFormRecord.expiry(record), expiry <= now { return nil }
        throw StoreError(.damaged, detail: "a kept form was changed after it was stored")
    }
}

/// The result of storing a form.
package enum KeepOutcome: Sendable {
    case kept(Ticket)
    /// All kept forms together use the whole room.
    case full
    /// The forms of this client use its `FairShare` of the room.
    case shareTaken
}

/// A form that was taken out of the store, with what is needed to put it back.
package struct TakenForm: Sendable {
    package let form: KeptForm
    let ticket: Ticket
    /// The form as it was stored.
    let record: [UInt8]
}
