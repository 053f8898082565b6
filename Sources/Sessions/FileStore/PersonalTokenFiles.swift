import Glibc
import POSIX

package import struct FoundationEssentials.Date

/// The personal tokens in a store's directory, one file each, and a file for each owner.
///
/// The name of a token's file is its ID. Its modification time is the last use; before the first use it is the beginning
/// of 1970. The directory is locked while files are added, replaced or removed.
struct PersonalTokenFiles: Sendable {
    private let directories: StoreDirectories
    private let files: FileSystem
    private let issuers: FormerIssuers
    private let random: RandomBytes
    /// A separate thread, because listing reads every file.
    private let keeper = WriterThreads(count: 1, limit: 64)
    private let user = User.current.id

    private static let ownerPrefix = "owner-"
    private static let unused = Date(timeIntervalSince1970: 0)
    private static let maximumByteCount = 65_536

    init(in directories: StoreDirectories, issuers: FormerIssuers, random: RandomBytes, files: FileSystem) {
        self.directories = directories
        self.issuers = issuers
        self.files = files
        self.random = random
    }

    /// Runs work while no other process changes the directory.
    private func locked<Success: Sendable>(
        _ work: @escaping @Sendable () throws(SystemError) -> Success
    ) async throws(StoreError) -> Success {
        try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
            // Open a new descriptor for the lock: a shared one does not exclude other tasks of this process.
            let directory = try files.openDirectory(".", in: directories.tokens)
            try files.lock(directory)
            return try work()
        }
    }

    // MARK: - Finding

    /// Reads on the caller's thread, as a session is read.
    func find(_ token: PersonalToken, now: Date) throws(StoreError) -> FoundToken? {
        let seal = PersonalTokenSeal(token)
        if let found = try read(seal, now: now) { return found }
        return try directories.refreshAtMostOncePerSecond() ? read(seal, now: now) : nil
    }

    private func read(_ seal: PersonalTokenSeal, now: Date) throws(StoreError) -> FoundToken? {
        try asStoreError { () throws(SystemError) -> FoundToken? in
            guard let file = try openIfUsable(seal.id.description) else { return nil }
            let status = try files.status(file)
            guard let record = try contents(of: file, status: status), let grant = seal.open(record),
                now < grant.expires, let owner = try readOwner(grant.owner)
            else { return nil }
            let isNoted = abs(now.timeIntervalSince(status.modificationDate)) >= TokenLimits.useInterval
            // Tokens in a store that became read-only stay valid.
            if isNoted { try? files.setModified(now, of: file) }
            return FoundToken(id: seal.id, grant: grant, owner: owner, isNoted: isNoted)
        }
    }

    /// The owner under any issuer.
    private func readOwner(_ member: Member) throws(SystemError) -> Identity? {
        for spelling in issuers.spellings(of: member) {
            if let owner = try readSpelled(spelling) { return owner }
        }
        return nil
    }

    /// The owner under the issuer of the member.
    private func readSpelled(_ member: Member) throws(SystemError) -> Identity? {
        guard let file = try openIfUsable(Self.ownerFile(member)),
            let record = try contents(of: file, status: try files.status(file)),
            let owner = TokenOwner.read(record), owner.member == member
        else { return nil }
        return owner
    }

    /// The owner as stored; nil if the member owns no token.
    func owner(_ member: Member) throws(StoreError) -> Identity? {
        try asStoreError { () throws(SystemError) in try readOwner(member) }
    }

    /// Nil if there is no such file, or something other than a file has its name.
    private func openIfUsable(_ name: String) throws(SystemError) -> FileDescriptor? {
        do {
            return try files.openFile(name, in: directories.tokens)
        } catch {
            guard [ENOENT, ELOOP, ENXIO].contains(error.number) else { throw error }
            return nil
        }
    }

    private func contents(of file: borrowing FileDescriptor, status: FileStatus) throws(SystemError) -> [UInt8]? {
        try files.contents(of: file, status, owner: user, sizes: 1...Self.maximumByteCount)
    }

    // MARK: - Listing

    /// See `PersonalTokenStore.tokens`.
    func tokens(of member: Member?, now: Date) async throws(StoreError) -> [ListedToken] {
        try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
            try listed().filter { token in
                now < token.grant.expires && (member == nil || token.grant.owner == member)
            }
        }
    }

    private func listed() throws(SystemError) -> [ListedToken] {
        try list(files.names(in: directories.tokens)).tokens
    }

    /// The tokens among the files of the directory, and whether all files with the name of a token could be read as one.
    private func list(_ names: [String]) throws(SystemError) -> (tokens: [ListedToken], isComplete: Bool) {
        var (tokens, isComplete) = ([ListedToken](), true)
        for name in names {
            guard let id = PersonalTokenID(digits: name) else { continue }
            guard let (record, used) = try readable(name), let grant = TokenGrant(readablePartOf: record) else {
                isComplete = false
                continue
            }
            tokens.append(ListedToken(id: id, grant: grant, used: used > Self.unused ? used : nil))
        }
        return (tokens, isComplete)
    }

    /// The content of a file and its modification time; nil if this file cannot be read, because one such file must not
    /// stop lists and changes of all others.
    private func readable(_ name: String) throws(SystemError) -> (record: [UInt8], modified: Date)? {
        do throws(SystemError) {
            guard let file = try openIfUsable(name) else { return nil }
            let status = try files.status(file)
            return try contents(of: file, status: status).map { ($0, status.modificationDate) }
        } catch {
            guard [EACCES, EPERM, EIO].contains(error.number) else { throw error }
            return nil
        }
    }

    // MARK: - Changing

    /// See `PersonalTokenStore.makeToken`.
    func make(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken? {
        let token = try PersonalToken(random: random)
        let seal = PersonalTokenSeal(token)
        let record = try seal.seal(grant, random: random)
        let isMade = try await locked { () throws(SystemError) in
            let tokens = try listed()
            guard tokens.count < TokenLimits.total,
                tokens.count(where: { $0.grant.owner == owner.member }) < TokenLimits.owned
            else { return false }
            // Keep a stored owner: it is of the last sign-in, and the caller may have an earlier identity.
            if try readSpelled(owner.member) == nil {
                var known = try readOwner(owner.member) ?? owner
                known.issuer = owner.issuer
                try replaceOwner(known)
            }
            let name = seal.id.description
            return try files.publish(record, as: name, modified: Self.unused, in: directories.tokens)
        }
        return isMade ? token : nil
    }

    /// See `PersonalTokenStore.updateOwner`.
    func update(_ identity: Identity) async throws(StoreError) {
        let spellings = issuers.spellings(of: identity.member)
        // Most members own no token.
        let isOwner = try asStoreError { () throws(SystemError) in
            for spelling in spellings where try isPresent(spelling) { return true }
            return false
        }
        guard isOwner else { return }
        try await locked { () throws(SystemError) in
            // Somebody may have revoked the last token meanwhile.
            for spelling in spellings where try isPresent(spelling) {
                var identity = identity
                identity.issuer = spelling.issuer
                try replaceOwner(identity)
            }
        }
    }

    private func isPresent(_ owner: Member) throws(SystemError) -> Bool {
        try files.statusIfPresent(Self.ownerFile(owner), in: directories.tokens) != nil
    }

    private func replaceOwner(_ identity: Identity) throws(SystemError) {
        let record = TokenOwner.record(of: identity)
        try files.overwrite(Self.ownerFile(identity.member), with: record, in: directories.tokens)
    }

    /// Revokes the tokens that a condition names; see `PersonalTokenStore.revokeTokens`.
    func revoke(where isChosen: @escaping @Sendable (ListedToken) -> Bool) async throws(StoreError) -> Int {
        try await locked { () throws(SystemError) in try remove(where: isChosen) }
    }

    /// Revokes all tokens of a member; see `PersonalTokenStore.revokeAllTokens`.
    func revokeAll(of member: Member) async throws(StoreError) -> Int {
        try await locked { () throws(SystemError) in try remove(of: member) { $0.grant.owner == member } }
    }

    /// Removes tokens, and the owners without tokens, among them a member whose tokens all go.
    private func remove(
        of member: Member? = nil,
        where isChosen: (ListedToken) -> Bool
    ) throws(SystemError) -> Int {
        let names = try files.names(in: directories.tokens)
        let (tokens, isComplete) = try list(names)
        let removed = tokens.filter(isChosen)
        for token in removed { try files.unlink(token.id.description, in: directories.tokens) }
        let gone = Set(removed.map(\.id))
        let remaining = Set(tokens.filter { !gone.contains($0.id) }.map { Self.ownerFile($0.grant.owner) })
        var owners = Set(removed.map { Self.ownerFile($0.grant.owner) })
        if let member { owners.formUnion(issuers.spellings(of: member).map(Self.ownerFile)) }
        owners = owners.subtracting(remaining).intersection(names)
        for name in owners { try files.unlink(name, in: directories.tokens) }
        if !removed.isEmpty || !owners.isEmpty { try files.synchronize(directories.tokens) }
        // A program that ended while it made a token may have left an owner. Nobody knows the owner of an unreadable token.
        guard isComplete else { return removed.count }
        for name in names where name.hasPrefix(Self.ownerPrefix) && !remaining.contains(name) && !owners.contains(name)
        {
            try? files.unlink(name, in: directories.tokens)
        }
        return removed.count
    }

    private static func ownerFile(_ member: Member) -> String { ownerPrefix + RecordName(hash: member.storedName).flat }

    /// Removes tokens that have ended, and unfinished files that are more than an hour old.
    func sweep(now: Date) async throws(StoreError) -> Int {
        try await locked { () throws(SystemError) in
            for name in try files.names(in: directories.tokens) {
                _ = files.removeIfAbandoned(name, in: directories.tokens, now: now)
            }
            return try remove { now >= $0.grant.expires }
        }
    }

    // MARK: - Moving

    /// The tokens, with their records, and the owners.
    func stored() async throws(StoreError) -> StoredTokens {
        try await keeper.run(.beginning, in: directories) { () throws(SystemError) in
            var stored = StoredTokens(tokens: [], owners: [])
            for name in try files.names(in: directories.tokens) {
                let id = PersonalTokenID(digits: name)
                guard id != nil || name.hasPrefix(Self.ownerPrefix), let (record, used) = try readable(name)
                else { continue }
                if let id, TokenGrant(readablePartOf: record) != nil {
                    stored.tokens.append(.init(id: id, record: record, used: used > Self.unused ? used : nil))
                } else if id == nil, let owner = TokenOwner.read(record) {
                    stored.owners.append(owner)
                }
            }
            return stored
        }
    }

    func add(_ stored: StoredTokens) async throws(StoreError) {
        try await locked { () throws(SystemError) in
            for owner in stored.owners where try readSpelled(owner.member) == nil { try replaceOwner(owner) }
            for token in stored.tokens {
                let (name, used) = (token.id.description, token.used ?? Self.unused)
                _ = try files.publish(token.record, as: name, modified: used, in: directories.tokens)
            }
        }
    }
}

// MARK: - The store

extension FileStore: PersonalTokenStore {
    package func makeToken(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken? {
        try await personalTokens.make(grant, owner: owner)
    }

    package func find(_ token: PersonalToken, now: Date) async throws(StoreError) -> FoundToken? {
        try personalTokens.find(token, now: now)
    }

    package func tokens(of member: Member?, now: Date) async throws(StoreError) -> [ListedToken] {
        try await personalTokens.tokens(of: member, now: now)
    }

    package func revokeTokens(_ ids: [PersonalTokenID], of member: Member?) async throws(StoreError) -> Int {
        let ids = Set(ids)
        return try await personalTokens.revoke { token in
            ids.contains(token.id) && (member == nil || token.grant.owner == member)
        }
    }

    package func revokeAllTokens(of member: Member) async throws(StoreError) -> Int {
        try await personalTokens.revokeAll(of: member)
    }

    package func tokenOwner(_ member: Member) async throws(StoreError) -> Identity? {
        try personalTokens.owner(member)
    }

    package func tokenOwners() async throws(StoreError) -> [Identity] {
        try await personalTokens.stored().owners
    }

    package func updateOwner(_ identity: Identity) async throws(StoreError) {
        try await personalTokens.update(identity)
    }
}

extension FileStore {
    package func storedTokens() async throws(StoreError) -> StoredTokens {
        try await personalTokens.stored()
    }

    package func add(_ tokens: StoredTokens) async throws(StoreError) {
        try await personalTokens.add(tokens)
    }
}
