package import struct FoundationEssentials.Date

/// Stores personal tokens: not the tokens, but what they permit, and the identities of their owners.
package struct PersonalTokenVault: Sendable {
    private let records: any Records
    private let issuers: FormerIssuers
    private let random: RandomBytes
    private let counter: StoreCounter

    /// - Parameters:
    ///   - records: where the tokens are.
    ///   - issuers: the issuers by which the place may have named LinkedIn's members.
    ///   - random: the source of tokens and nonces.
    ///   - counter: counts and times the operations.
    init(in records: any Records, issuers: FormerIssuers, random: RandomBytes, counter: StoreCounter) {
        (self.records, self.issuers, self.random, self.counter) = (records, issuers, random, counter)
    }

    /// Makes a token, which is durable when this returns.
    ///
    /// - Parameters:
    ///   - grant: what the token permits.
    ///   - owner: the identity that the rules of guarded locations are asked about, if the member owns no token yet;
    ///     otherwise the stored identity stays, because it is that of the last sign-in.
    /// - Returns: the token; nil if the owner, or the store, has as many as there may be.
    /// - Throws: `StoreError` if the token could not be made durable; then it does not work.
    package func makeToken(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken? {
        try await counter.measure(.token) { () async throws(StoreError) in
            let token = try PersonalToken(random: random)
            let record = try PersonalTokenSeal(token).seal(grant, random: random)
            var owner = TokenOwner(owner)
            owner.identity.issuer = grant.owner.issuer
            let names = issuers.names(of: grant.owner)
            let room = TokenRoom(total: TokenLimits.total, owned: TokenLimits.owned, names: names)
            return try await records.put(.tokens([record], owners: [owner], room: room)) == 1 ? token : nil
        }
    }

    /// Finds what a token permits, and counts this as use of the token.
    ///
    /// - Returns: nil if the token is unknown, revoked, ended or damaged.
    /// - Throws: `StoreError` if the store fails.
    package func find(_ token: PersonalToken, now: Date) async throws(StoreError) -> FoundToken? {
        try await counter.measure(.token) { () async throws(StoreError) in
            let seal = PersonalTokenSeal(token)
            guard let (record, stored) = try await records.token(seal.id), seal.fits(record),
                now < record.grant.expires
            else { return nil }
            let member = record.grant.owner
            var owner = stored
            // Under another issuer.
            if owner == nil { owner = try await records.owners(issuers.names(of: member)).first }
            guard let owner, owner.identity.member == member else { return nil }
            let isNoted = record.used.map { abs(now.timeIntervalSince($0)) >= TokenLimits.useInterval } ?? true
            if isNoted { records.noteUse(.token(record.id), now) }
            return FoundToken(id: record.id, grant: record.grant, owner: owner.identity, isNoted: isNoted)
        }
    }

    /// Lists tokens that have not ended; this does not count as use.
    ///
    /// - Parameters:
    ///   - member: the owner; nil for the tokens of all members.
    ///   - now: the current time.
    /// - Returns: the tokens, in no particular order.
    /// - Throws: `StoreError` if the store fails.
    package func tokens(of member: Member?, now: Date) async throws(StoreError) -> [TokenRecord] {
        try await counter.measure(.token) { () async throws(StoreError) in
            try await stored(of: member).filter { now < $0.grant.expires }
        }
    }

    private func stored(of member: Member?) async throws(StoreError) -> [TokenRecord] {
        guard let member else { return try await records.tokens(of: nil) }
        return try await records.tokens(of: issuers.names(of: member)).filter { $0.grant.owner == member }
    }

    /// Revokes tokens, durably and for all processes that use the store.
    ///
    /// - Parameters:
    ///   - ids: the tokens; an unknown one has already ended.
    ///   - member: the owner, whose tokens alone are revoked; nil for any owner.
    /// - Returns: how many tokens this call revoked.
    /// - Throws: `StoreError`; some of the tokens may be revoked.
    package func revokeTokens(_ ids: [PersonalTokenID], of member: Member?) async throws(StoreError) -> Int {
        try await counter.measure(.token) { () async throws(StoreError) in
            var chosen = Set(ids)
            if let member { chosen.formIntersection(try await stored(of: member).map(\.id)) }
            return try await records.remove(.tokens(.ids(chosen)))
        }
    }

    /// Revokes all tokens of a member, and removes what is stored about their owner.
    ///
    /// - Returns: how many tokens this call revoked, including ended ones that were not removed yet.
    /// - Throws: `StoreError`; some of the tokens may be revoked.
    package func revokeAllTokens(of member: Member) async throws(StoreError) -> Int {
        try await counter.measure(.token) { () async throws(StoreError) in
            let ids = try await stored(of: member).map(\.id)
            return try await records.remove(.tokens(.ids(Set(ids), owners: issuers.names(of: member))))
        }
    }

    /// The identity of a member who owns tokens; nil for every other member.
    ///
    /// - Returns: the identity at the last sign-in.
    /// - Throws: `StoreError` if the store fails.
    package func tokenOwner(_ member: Member) async throws(StoreError) -> Identity? {
        try await counter.measure(.token) { () async throws(StoreError) in
            try await records.owners(issuers.names(of: member)).first?.identity
        }
    }

    /// The identities of all members who own tokens.
    ///
    /// - Returns: the identities at the last sign-ins, in no particular order.
    /// - Throws: `StoreError` if the store fails.
    package func tokenOwners() async throws(StoreError) -> [Identity] {
        try await counter.measure(.token) { () async throws(StoreError) in
            try await records.owners(nil).map(\.identity)
        }
    }

    /// Stores the identity of a member who has signed in, if the member owns tokens.
    ///
    /// - Throws: `StoreError` if the store fails; the tokens then have the earlier identity.
    package func updateOwner(_ identity: Identity) async throws(StoreError) {
        try await counter.measure(.token) { () async throws(StoreError) in
            for spelling in issuers.spellings(of: identity.member) {
                var owner = TokenOwner(identity)
                owner.identity.issuer = spelling.issuer
                _ = try await records.put(.replacement(owner))
            }
        }
    }

    /// Removes the tokens that have ended.
    ///
    /// - Returns: how many were removed.
    /// - Throws: `StoreError` if the tokens cannot be listed.
    func sweep(now: Date) async throws(StoreError) -> Int { try await records.remove(.tokens(.ended(now))) }
}

/// The number of personal tokens that a store accepts.
package enum TokenLimits {
    /// For one member.
    package static let owned = 50
    /// For all members together.
    package static let total = 10_000
    /// Seconds between two notes of a token's last use.
    package static let useInterval = 3_600.0
}

/// A token that is valid, and its owner as of the owner's last sign-in.
package struct FoundToken: Sendable, Equatable {
    package let id: PersonalTokenID
    package let grant: TokenGrant
    package let owner: Identity
    /// Whether this use was noted as the last one; false if another was noted within the hour before it.
    package let isNoted: Bool
}
