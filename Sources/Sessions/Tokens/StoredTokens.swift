package import struct FoundationEssentials.Date

/// Personal tokens as a store keeps them, on their way to another store; nothing in it is a token.
package struct StoredTokens: Sendable, Equatable {
    package struct Token: Sendable, Equatable {
        package let id: PersonalTokenID
        package let record: [UInt8]
        /// Nil if the token was not used yet.
        package let used: Date?

        package init(id: PersonalTokenID, record: [UInt8], used: Date?) {
            (self.id, self.record, self.used) = (id, record, used)
        }
    }

    package var tokens: [Token]
    package var owners: [Identity]

    package init(tokens: [Token], owners: [Identity]) {
        (self.tokens, self.owners) = (tokens, owners)
    }
}
