import Glibc

package import struct FoundationEssentials.Date

extension FileStore: KeptRequestStore {
    /// Bytes that a kept request counts for at least, so that there are never many: each is looked at to add one.
    package static let keptMinimum = 16 << 10

    /// Refuses before anything is sealed or queued: without room, a request of any size costs next to nothing.
    package func keep(
        _ request: KeptRequest,
        from sender: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        let room = keptLedger.room(for: Self.keptSize(request.body.count), of: sender)
        if let refusal = KeepOutcome(room), !keptLedger.needsSurvey(now: now, isFull: true) { return refusal }
        let ticket = try Ticket(random: random)
        let keys = KeptKeys(ticket)
        let record = try KeptRecord.seal(
            request,
            expires: expires,
            key: keys.key,
            nonce: random(SealedBytes.nonceCount)
        )
        let refusal = try await keeper.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in
                try add(kept: record, name: keys.name, sender: sender, expires: expires, now: now)
            }
        }
        return refusal ?? .kept(ticket)
    }

    package func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptRequest? {
        let keys = KeptKeys(ticket)
        return try await keeper.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in
                try open(kept: keys.name.flat, keys: keys, now: now)
            }.value
        }
    }

    package func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenRequest? {
        let keys = KeptKeys(ticket)
        return try await keeper.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in try take(keys, now: now) }.value
        }
    }

    package func putBack(_ taken: TakenRequest) async throws(StoreError) {
        try await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in
                try files.rename(taken.temporary, to: taken.name.flat, in: directories.kept)
            }
            keptLedger.move(taken.temporary, to: taken.name.flat)
        }
    }

    package func discard(_ taken: TakenRequest) async {
        try? await keeper.run(.underway) { () throws(StoreError) in
            try asStoreError { () throws(SystemError) in try files.unlink(taken.temporary, in: directories.kept) }
            keptLedger.remove(taken.temporary)
        }
    }
}

extension FileStore {
    /// Nil if it was added, otherwise why there is no room.
    ///
    /// Not made durable: after a loss of power the browser has the form, or nobody.
    private func add(
        kept record: [UInt8],
        name: RecordName,
        sender: UInt64,
        expires: Date,
        now: Date
    ) throws(SystemError) -> KeepOutcome? {
        if keptLedger.needsSurvey(now: now, isFull: false) { _ = try sweepKept(now: now) }
        let size = Self.keptSize(record.count)
        if KeepOutcome(keptLedger.room(for: size, of: sender)) != nil, keptLedger.needsSurvey(now: now, isFull: true) {
            _ = try sweepKept(now: now)
        }
        if let refusal = KeepOutcome(keptLedger.room(for: size, of: sender)) { return refusal }
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
        keptLedger.add(name.flat, size: size, expires: expires, sender: sender)
        return nil
    }

    /// Whoever renames the file has it: of several who try, the system lets one.
    private func take(_ keys: KeptKeys, now: Date) throws(SystemError) -> Found<TakenRequest> {
        let temporary = try TemporaryName.make(files)
        do {
            try files.rename(keys.name.flat, to: temporary, in: directories.kept)
        } catch {
            guard error.number == ENOENT else { throw error }
            return .nothing
        }
        keptLedger.move(keys.name.flat, to: temporary)
        let found = try open(kept: temporary, keys: keys, now: now)
        if case .whole(let request) = found {
            return .whole(TakenRequest(request: request, name: keys.name, temporary: temporary))
        }
        if (try? files.unlink(temporary, in: directories.kept)) != nil { keptLedger.remove(temporary) }
        if case .damaged = found { return .damaged }
        return .nothing
    }

    private func open(kept name: String, keys: KeptKeys, now: Date) throws(SystemError) -> Found<KeptRequest> {
        do {
            let file = try files.openFile(name, in: directories.kept)
            let status = try files.status(file)
            guard status.isRegular, status.owner == owner, status.size <= keptTotal + KeptRecord.overhead else {
                return .damaged
            }
            let record = try files.read(file, count: status.size)
            if let request = KeptRecord.open(record, key: keys.key, now: now) { return .whole(request) }
            return KeptRecord.hasExpired(record, now: now) ? .nothing : .damaged
        } catch {
            switch error.number {
            case ENOENT: return .nothing
            case ELOOP, ENXIO: return .damaged
            default: throw error
            }
        }
    }
}

extension KeepOutcome {
    /// The refusal for want of room; nil if there is some.
    fileprivate init?(_ room: KeptLedger.Room) {
        switch room {
        case .free: return nil
        case .full: self = .full
        case .shareTaken: self = .shareTaken
        }
    }
}

/// What there is of a kept request.
private enum Found<Request: Sendable>: Sendable {
    /// It is not there any more, or too old.
    case nothing
    case damaged
    case whole(Request)

    /// Nil for nothing.
    ///
    /// - Throws: `StoreError` for what is damaged.
    var value: Request? {
        get throws(StoreError) {
            switch self {
            case .nothing: return nil
            case .damaged: throw StoreError(.damaged, detail: "a kept form is not as it was stored")
            case .whole(let request): return request
            }
        }
    }
}
