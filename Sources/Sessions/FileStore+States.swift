package import struct FoundationEssentials.Date

// Spent states and kept forms are in files of their own types.

extension FileStore: SpentStateStore {
    package func spend(
        _ state: String,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        try await spentMarks.spend(state, from: client, expires: expires, now: now)
    }

    package func isSpent(_ state: String) async throws(StoreError) -> Bool {
        try spentMarks.isSpent(state)
    }
}

extension FileStore: KeptFormStore {
    /// The size that a kept form counts for at least, in bytes, so that their number stays small enough to list.
    package static let keptMinimum = 16 << 10

    package var keptBytes: Int { keptForms.bytes }

    package func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        try await keptForms.keep(form, from: client, expires: expires, now: now)
    }

    package func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        try await keptForms.kept(ticket, now: now)
    }

    package func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        try await keptForms.take(ticket, now: now)
    }

    package func putBack(_ taken: TakenForm) async throws(StoreError) {
        try await keptForms.putBack(taken)
    }

    package func discard(_ taken: TakenForm) async {
        await keptForms.discard(taken)
    }
}
