import Synchronization

import struct FoundationEssentials.Date

/// Adds up the sizes of the kept forms as they come and go, so that adding one reads no file.
///
/// The sums are exact for forms that this process adds and removes. Forms of another process on the same store count from
/// the next survey, which happens every few seconds; until then each process may fill the room by itself. The clients are
/// in memory only: a restart resets the shares, but not the total.
final class KeptFormLedger: Sendable {
    private struct Entry {
        let byteCount: Int
        let expires: Date
        /// Nil if the form was added before this process started, or by another process.
        let client: UInt64?
        /// Whether the form is being added or was taken, so that a survey does not find it.
        var isHeld: Bool
    }

    /// What happens during a survey, which does not know of it.
    private struct Survey {
        var added: Set<RecordName> = []
        var removed: Set<RecordName> = []
    }

    private struct State {
        var entries: [RecordName: Entry] = [:]
        var byteCount = 0
        var shares: [UInt64: Int] = [:]
        /// Nil before the first survey.
        var surveyed: Date?
        /// When the first of the forms expires.
        var firstExpiry = Date.distantFuture
        /// By number; several at a time are possible.
        var surveys: [Int: Survey] = [:]
        var surveyCount = 0

        mutating func add(_ entry: Entry, _ name: RecordName) {
            remove(name)
            entries[name] = entry
            byteCount += entry.byteCount
            firstExpiry = min(firstExpiry, entry.expires)
            if let client = entry.client { shares[client, default: 0] += entry.byteCount }
        }

        mutating func remove(_ name: RecordName) {
            guard let entry = entries.removeValue(forKey: name) else { return }
            byteCount -= entry.byteCount
            guard let client = entry.client else { return }
            let rest = shares[client, default: 0] - entry.byteCount
            shares[client] = rest > 0 ? rest : nil
        }

        func refusal(of size: Int, from client: UInt64, total: Int) -> KeepOutcome? {
            if byteCount + size > total { return .full }
            guard let own = shares[client] else { return nil }
            return own + size > FairShare.of(total) ? .shareTaken : nil
        }
    }

    private let total: Int
    private let state = Mutex(State())

    /// - Parameter total: bytes of all forms together.
    init(total: Int) {
        self.total = total
    }

    /// The bytes of all forms together.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Why there is no room for one more form, or nil; a client that has none may always keep one, however large.
    func refusal(of size: Int, from client: UInt64) -> KeepOutcome? {
        state.withLock { $0.refusal(of: Self.accounted(size), from: client, total: total) }
    }

    /// Counts a form that is about to be added, if there is room for it.
    func reserve(_ form: RecordEntry, for client: UInt64) -> KeepOutcome? {
        let size = Self.accounted(form.byteCount)
        return state.withLock { state in
            if let refusal = state.refusal(of: size, from: client, total: total) { return refusal }
            state.add(Entry(byteCount: size, expires: form.ends, client: client, isHeld: true), form.name)
            return nil
        }
    }

    /// Keeps counting a form that was taken, because it may be put back.
    func hold(_ name: RecordName) {
        state.withLock { $0.entries[name]?.isHeld = true }
    }

    /// Notes that a form was added, or put back.
    func settle(_ name: RecordName) {
        state.withLock { state in
            state.entries[name]?.isHeld = false
            for number in state.surveys.keys { state.surveys[number]?.added.insert(name) }
        }
    }

    /// Counts a form no more.
    func remove(_ name: RecordName) {
        state.withLock { state in
            state.remove(name)
            for number in state.surveys.keys { state.surveys[number]?.removed.insert(name) }
        }
    }

    /// Whether the forms must be surveyed before one is rejected: at first, and when a form has expired since.
    ///
    /// At most once a second, so that a flood of forms does not read the directory again and again. `isFull`
    /// says whether the form would be rejected without a survey.
    func needsSurvey(now: Date, isFull: Bool) -> Bool {
        state.withLock { state in
            guard let surveyed = state.surveyed else { return true }
            guard isFull, state.firstExpiry <= now else { return false }
            return abs(now.timeIntervalSince(surveyed)) >= 1
        }
    }

    /// Notes that a survey begins.
    ///
    /// - Returns: its number.
    func beginSurvey(now: Date) -> Int {
        state.withLock { state in
            if state.surveyed != nil { state.surveyed = now }
            state.surveyCount += 1
            state.surveys[state.surveyCount] = Survey()
            return state.surveyCount
        }
    }

    /// Replaces the sums by what a survey found, and what happened meanwhile.
    ///
    /// - Parameters:
    ///   - number: the number of the survey.
    ///   - forms: what it found; nil if it failed.
    ///   - now: the current time.
    func endSurvey(_ number: Int, _ forms: [RecordEntry]?, now: Date) {
        state.withLock { state in
            let survey = state.surveys.removeValue(forKey: number) ?? Survey()
            guard let forms else { return }
            let known = state.entries
            (state.entries, state.byteCount, state.shares, state.firstExpiry) = ([:], 0, [:], .distantFuture)
            state.surveyed = now
            for form in forms where !survey.removed.contains(form.name) {
                let (size, client) = (Self.accounted(form.byteCount), known[form.name]?.client)
                state.add(Entry(byteCount: size, expires: form.ends, client: client, isHeld: false), form.name)
            }
            for (name, entry) in known where entry.isHeld ? now < entry.expires : survey.added.contains(name) {
                state.add(entry, name)
            }
        }
    }

    /// The size that counts against the total.
    private static func accounted(_ byteCount: Int) -> Int { max(byteCount, KeptFormVault.minimumByteCount) }
}
