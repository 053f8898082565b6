import Glibc
import POSIX

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
    var bytes: Int { ledger.bytes }
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
        let refusal = ledger.refusal(of: Self.accounted(form.body.count), from: client)
        if let refusal, !ledger.needsSurvey(now: now, isFull: true) { return refusal }
        let ticket = try Ticket(random: random)
        let keys = KeptFormKeys(ticket)
        let record = try KeptFormRecord.seal(
            form,
            expires: expires,
            key: keys.key,
            nonce: random(SealedBytes.nonceCount)
        )
        let outcome = try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
            try add(record, name: keys.name, client: client, expires: expires, now: now)
        }
        return outcome ?? .kept(ticket)
    }

    /// See `KeptFormStore.kept`.
    func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        let keys = KeptFormKeys(ticket)
        return try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
            try open(keys.name.flat, keys: keys, now: now)
        }.value
    }

    /// See `KeptFormStore.take`.
    func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        try await keeper.run(.beginning, in: directories) { () throws(SystemError) in try claim(ticket, now: now) }
            .value
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
        if ledger.refusal(of: size, from: client) != nil, ledger.needsSurvey(now: now, isFull: true) {
            _ = try survey(now: now)
        }
        if let refusal = ledger.refusal(of: size, from: client) { return refusal }
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
