import Guard
import HTTP
package import Sessions

import struct FoundationEssentials.Date

/// The personal tokens of a site, and whether guarded locations accept them.
package struct PersonalTokens: Sendable {
    private let store: PersonalTokenVault
    /// The longest life of a token in seconds; nil if the site makes and accepts none.
    let maximumLife: Int?
    let guesses: TokenGuesses

    /// - Parameters:
    ///   - store: The store of the tokens.
    ///   - maximumLife: The longest life of a token in seconds; nil: the site makes and accepts none.
    ///   - predecessor: The same site with other settings.
    package init(store: PersonalTokenVault, maximumLife: Int?, continuing predecessor: PersonalTokens? = nil) {
        self.store = store
        self.maximumLife = maximumLife
        guesses = predecessor?.guesses ?? TokenGuesses()
    }

    /// The result of looking up a token.
    enum LookUp {
        case found(FoundToken)
        /// The ID is nil if the text is not a token.
        case refused(TokenObjection, PersonalTokenID?)
    }

    /// Looks a token up, unless the client has presented many unknown ones.
    ///
    /// - Parameters:
    ///   - text: The token, as sent.
    ///   - client: Who sent it.
    ///   - now: The current time.
    /// - Returns: What the token permits, or why it is not accepted.
    /// - Throws: `StoreError` if the store cannot be asked about the token.
    func find(_ text: Substring, for client: ClientAddress, now: Date) async throws(StoreError) -> LookUp {
        guard let token = PersonalToken(text) else { return .refused(.malformed, nil) }
        let id = PersonalTokenSeal(token).id
        if let objection = guesses.objection(to: id, for: client, now: now) { return .refused(objection, id) }
        guard let found = try await store.find(token, now: now) else {
            guesses.reject(id, for: client, now: now)
            return .refused(.unknown, id)
        }
        guesses.accept(id)
        return .found(found)
    }
}

extension TokenGrant {
    /// Whether the token may be used at the client's spelling of path and query.
    ///
    /// Without a limit to some paths, no spelling leads to others.
    func isGood(at uri: String) -> Bool {
        if locations.contains("/") { return true }
        return GuardedPath(uri).map { locations.contains(where: $0.isAt) } ?? false
    }
}
