import Glibc
import POSIX
import Synchronization

import struct FoundationEssentials.Date

/// The kept forms in a store's directory, one file each.
///
/// The modification time of a file is the time at which the form expires.
struct KeptFormFiles: Sendable {
    private let directories: StoreDirectories
    private let files: FileSystem
    private let random: RandomBytes
    /// Bytes.
    private let total: Int
    private let ledger: KeptFormLedger
    /// A separate thread, so that a flood of forms delays no sign-in.
    ///
    /// Only one, so that the directory does not change while it is read.
    private let keeper = WriterThreads(count: 1)
    private let owner = User.current.id

    /// - Parameters:
    ///   - directories: the directories of the store.
    ///   - total: the maximum size of all kept forms together, in bytes.
    ///   - random: the source of tickets and nonces.
    ///   - files: the system calls to use.
    init(in directories: StoreDirectories, total: Int, random: RandomBytes, files: FileSystem) {
        self.directories = directories
        self.files = files
        self.random = random
        self.total = total
        ledger = KeptFormLedger(total: total)
    }

    /// See `KeptFormStore.keep`.
    ///
    /// Rejects a form before sealing or queuing it: when there is no room, a form of any size costs next to nothing.
    func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        let room = ledger.room(for: Self.accounted(form.body.count), of: client)
        if let refusal = KeepOutcome(room), !ledger.needsSurvey(now: now, isFull: true) { return refusal }
        let ticket = try Ticket(random: random)
        let keys = KeptFormKeys(ticket)
        let record = try KeptFormRecord.seal(
            form,
            expires: expires,
            key: keys.key,
            nonce: random(SealedBytes.nonceCount)
        )
        let refusal = try await run(.beginning) { () throws(SystemError) in
            try add(record, name: keys.name, client: client, expires: expires, now: now)
        }
        return refusal ?? .kept(ticket)
    }

    /// See `KeptFormStore.kept`.
    func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        let keys = KeptFormKeys(ticket)
        return try await run(.beginning) { () throws(SystemError) in
            try open(keys.name.flat, keys: keys, now: now)
        }.value
    }

    /// See `KeptFormStore.take`.
    func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        try await run(.beginning) { () throws(SystemError) in try claim(ticket, now: now) }.value
    }

    /// See `KeptFormStore.putBack`.
    func putBack(_ taken: TakenForm) async throws(StoreError) {
        let name = KeptFormKeys(taken.ticket).name.flat
        try await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in
                try files.rename(taken.claim, to: name, in: directories.kept)
            }
            ledger.move(taken.claim, to: name)
        }
    }

    /// See `KeptFormStore.discard`.
    func discard(_ taken: TakenForm) async {
        try? await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in try files.unlink(taken.claim, in: directories.kept) }
            ledger.remove(taken.claim)
        }
    }

    /// Removes the forms that have expired and counts the others.
    ///
    /// It runs on the thread that adds and takes forms, so that none is added or taken between counting and adding up.
    ///
    /// - Returns: how many were removed.
    func sweep(now: Date) async throws(StoreError) -> Int {
        try await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in try survey(now: now) }
        }
    }

    private func run<Success: Sendable>(
        _ standing: WriterThreads.Standing,
        _ work: @escaping @Sendable () throws(SystemError) -> Success
    ) async throws(StoreError) -> Success {
        try await keeper.run(standing) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError(work)
        }
    }
}

// MARK: - On the thread of the kept forms

extension KeptFormFiles {
    /// Nil if the form was added, otherwise why there is no room.
    ///
    /// It is not made durable: after a loss of power the browser still has the form, or the form is lost.
    private func add(
        _ record: [UInt8],
        name: RecordName,
        client: UInt64,
        expires: Date,
        now: Date
    ) throws(SystemError) -> KeepOutcome? {
        if ledger.needsSurvey(now: now, isFull: false) { _ = try survey(now: now) }
        let size = Self.accounted(record.count)
        if KeepOutcome(ledger.room(for: size, of: client)) != nil, ledger.needsSurvey(now: now, isFull: true) {
            _ = try survey(now: now)
        }
        if let refusal = KeepOutcome(ledger.room(for: size, of: client)) { return refusal }
        let temporary = try TemporaryName.make(files)
        let file = try files.createFile(temporary, in: directories.kept)
        do {
            try files.write(record, to: file)
            try files.setModified(expires, of: file)
            try files.rename(temporary, to: name.flat, in: directories.kept)
        } catch {
            try? files.unlink(temporary, in: directories.kept)
            throw error
        }
        ledger.add(name.flat, size: size, expires: expires, client: client)
        return nil
    }

    /// Renames the file: when several try, the system lets only one succeed.
    private func claim(_ ticket: Ticket, now: Date) throws(SystemError) -> Found<TakenForm> {
        let keys = KeptFormKeys(ticket)
        let temporary = try TemporaryName.make(files)
        do {
            try files.rename(keys.name.flat, to: temporary, in: directories.kept)
        } catch {
            guard error.number == ENOENT else { throw error }
            return .nothing
        }
        ledger.move(keys.name.flat, to: temporary)
        let found = try open(temporary, keys: keys, now: now)
        if case .whole(let form) = found {
            return .whole(TakenForm(form: form, ticket: ticket, claim: temporary))
        }
        if (try? files.unlink(temporary, in: directories.kept)) != nil { ledger.remove(temporary) }
        if case .damaged = found { return .damaged }
        return .nothing
    }

    private func open(_ name: String, keys: KeptFormKeys, now: Date) throws(SystemError) -> Found<KeptForm> {
        do {
            let file = try files.openFile(name, in: directories.kept)
            let status = try files.status(file)
            guard status.kind == .regular, status.owner == owner, status.size <= total + KeptFormRecord.overhead else {
                return .damaged
            }
            let record = try files.read(file, count: status.size)
            if let form = KeptFormRecord.open(record, key: keys.key, now: now) { return .whole(form) }
            return KeptFormRecord.hasExpired(record, now: now) ? .nothing : .damaged
        } catch {
            switch error.number {
            case ENOENT: return .nothing
            case ELOOP, ENXIO: return .damaged
            default: throw error
            }
        }
    }

    private func survey(now: Date) throws(SystemError) -> Int {
        var removed = 0
        var rest: [KeptFormLedger.File] = []
        for name in try files.names(in: directories.kept) {
            let isUnfinished = TemporaryName.matches(name)
            guard isUnfinished || RecordName.isFlat(name),
                let status = try? files.status(name, in: directories.kept)
            else { continue }
            // A file that is being written, or that was taken, stays in use for a while.
            let expires = status.modificationDate.addingTimeInterval(isUnfinished ? 120 : 0)
            if now < expires {
                rest.append(.init(name: name, size: Self.accounted(status.size), expires: expires))
            } else if (try? files.unlink(name, in: directories.kept)) != nil {
                removed += 1
            }
        }
        ledger.replace(with: rest, now: now)
        return removed
    }

    /// The size that counts against the total.
    private static func accounted(_ size: Int) -> Int {
        max(size, FileStore.keptMinimum)
    }
}

extension KeepOutcome {
    /// The refusal for lack of room; nil if there is room.
    fileprivate init?(_ room: KeptFormLedger.Room) {
        switch room {
        case .free: return nil
        case .full: self = .full
        case .shareTaken: self = .shareTaken
        }
    }
}

/// The result of looking for a kept form.
private enum Found<Form: Sendable>: Sendable {
    /// It does not exist, or it has expired.
    case nothing
    case damaged
    case whole(Form)

    /// The form; nil if there is none.
    ///
    /// - Throws: `StoreError` if it is damaged.
    var value: Form? {
        get throws(StoreError) {
            switch self {
            case .nothing: return nil
            case .damaged: throw StoreError(.damaged, detail: "a kept form was changed after it was stored")
            case .whole(let form): return form
            }
        }
    }
}

/// Adds up the sizes of the kept forms as they come and go, so that adding one reads no file.
///
/// The sums are exact for forms that this process adds and removes. Forms of another process on the same store count from
/// the next survey of the directory, which happens every few seconds; until then each process may fill the room by
/// itself. The clients are in memory only: a restart resets the shares, but not the total.
private final class KeptFormLedger: Sendable {
    enum Room: Sendable {
        case free
        case full
        /// The client has as much as one client may have.
        case shareTaken
    }

    /// A file that a survey found.
    struct File {
        let name: String
        let size: Int
        let expires: Date
    }

    private struct Entry {
        let size: Int
        let expires: Date
        /// Nil if the form was added before this process started, or by another process.
        let client: UInt64?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var shares: [UInt64: Int] = [:]
        /// Nil before the first survey.
        var surveyed: Date?
        /// When the first of the files expires.
        var firstExpiry = Date.distantFuture

        mutating func add(_ entry: Entry, _ name: String) {
            remove(name)
            entries[name] = entry
            size += entry.size
            firstExpiry = min(firstExpiry, entry.expires)
            if let client = entry.client { shares[client, default: 0] += entry.size }
        }

        @discardableResult
        mutating func remove(_ name: String) -> Entry? {
            guard let entry = entries.removeValue(forKey: name) else { return nil }
            size -= entry.size
            if let client = entry.client {
                let rest = shares[client, default: 0] - entry.size
                shares[client] = rest > 0 ? rest : nil
            }
            return entry
        }
    }

    private let total: Int
    /// A quarter, so that it takes several clients to fill the room.
    private let share: Int
    private let state = Mutex(State())

    /// - Parameter total: bytes of all forms together.
    init(total: Int) {
        self.total = total
        share = total / 4
    }

    /// Whether there is room for one more form; a client that has none may always keep one, however large.
    func room(for size: Int, of client: UInt64) -> Room {
        state.withLock { state in
            if state.size + size > total { return .full }
            guard let own = state.shares[client] else { return .free }
            return own + size > share ? .shareTaken : .free
        }
    }

    /// Whether the directory must be read before a form is rejected: at first, and when a file has expired since.
    ///
    /// At most once a second, so that a flood of forms does not read the directory again and again.
    func needsSurvey(now: Date, isFull: Bool) -> Bool {
        state.withLock { state in
            guard let surveyed = state.surveyed else { return true }
            guard isFull, state.firstExpiry <= now else { return false }
            return abs(now.timeIntervalSince(surveyed)) >= 1
        }
    }

    /// Replaces all sums by the files found in the directory.
    func replace(with files: [File], now: Date) {
        state.withLock { state in
            let known = state.entries
            state = State()
            state.surveyed = now
            for file in files {
                let entry = Entry(size: file.size, expires: file.expires, client: known[file.name]?.client)
                state.add(entry, file.name)
            }
        }
    }

    func add(_ name: String, size: Int, expires: Date, client: UInt64) {
        state.withLock { $0.add(Entry(size: size, expires: expires, client: client), name) }
    }

    func move(_ name: String, to other: String) {
        state.withLock { state in
            if let entry = state.remove(name) { state.add(entry, other) }
        }
    }

    func remove(_ name: String) {
        state.withLock { _ = $0.remove(name) }
    }
}
