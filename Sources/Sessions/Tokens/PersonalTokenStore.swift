package import struct FoundationEssentials.Date

/// Stores personal tokens: not the tokens, but what they permit.
package protocol PersonalTokenStore: Sendable {
    /// Makes a token. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - grant: what the token permits.
    ///   - owner: the identity that the rules of guarded locations are asked about, if the member owns no token yet;
    ///     otherwise the stored identity stays, because it is that of the last sign-in.
    /// - Returns: the token; nil if the owner, or the store, has as many as there may be.
    /// - Throws: `StoreError` if the token could not be made durable; then it does not work.
    func makeToken(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken?

    /// Finds what a token permits. This counts as use of the token.
    ///
    /// - Returns: nil if the token is unknown, revoked, ended or damaged.
    /// - Throws: `StoreError` if the store fails.
    func find(_ token: PersonalToken, now: Date) async throws(StoreError) -> FoundToken?

    /// Lists tokens that have not ended. This does not count as use.
    ///
    /// - Parameters:
    ///   - member: the owner; nil for the tokens of all members.
    ///   - now: the current time.
    /// - Returns: the tokens, in no particular order.
    /// - Throws: `StoreError` if the store fails.
    func tokens(of member: Member?, now: Date) async throws(StoreError) -> [ListedToken]

    /// Revokes tokens, durably and for all processes that use the store.
    ///
    /// - Parameters:
    ///   - ids: the tokens; an unknown one has already ended.
    ///   - member: the owner, whose tokens alone are revoked; nil for any owner.
    /// - Returns: how many tokens this call revoked.
    /// - Throws: `StoreError`; some of the tokens may be revoked.
    func revokeTokens(_ ids: [PersonalTokenID], of member: Member?) async throws(StoreError) -> Int

    /// Revokes all tokens of a member, and removes what is stored about their owner.
    ///
    /// - Returns: how many tokens this call revoked, including ended ones that were not removed yet.
    /// - Throws: `StoreError`; some of the tokens may be revoked.
    func revokeAllTokens(of member: Member) async throws(StoreError) -> Int

    /// The identity of a member who owns tokens; nil for every other member.
    ///
    /// - Returns: the identity at the last sign-in.
    /// - Throws: `StoreError` if the store fails.
    func tokenOwner(_ member: Member) async throws(StoreError) -> Identity?

    /// The identities of all members who own tokens.
    ///
    /// - Returns: the identities at the last sign-ins, in no particular order.
    /// - Throws: `StoreError` if the store fails.
    func tokenOwners() async throws(StoreError) -> [Identity]

    /// Stores the identity of a member who has signed in, if the member owns tokens.
    ///
    /// - Throws: `StoreError` if the store fails; the tokens then have the earlier identity.
    func updateOwner(_ identity: Identity) async throws(StoreError)
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

    package init(id: PersonalTokenID, grant: TokenGrant, owner: Identity, isNoted: Bool) {
        (self.id, self.grant, self.owner, self.isNoted) = (id, grant, owner, isNoted)
    }
}

/// A token in a list.
package struct ListedToken: Sendable, Equatable {
    package let id: PersonalTokenID
    package let grant: TokenGrant
    /// The last use, an hour late at most; nil if there was none.
    package let used: Date?

    package init(id: PersonalTokenID, grant: TokenGrant, used: Date?) {
        (self.id, self.grant, self.used) = (id, grant, used)
    }
}
