package import struct FoundationEssentials.Date

/// Durable bytes by kind and name, in files or in a database, for all processes that use the same place.
///
/// An implementation does not know what the bytes mean; `TokenRecord` tells it the owner and the end of a token. After an
/// error with the code `.busy` nothing has happened; after every other error, a change may have happened.
package protocol Records: Sendable {
    /// Adds a record, unless its name is taken. A record of a durable kind is durable when this returns.
    ///
    /// - Parameters:
    ///   - bytes: the record.
    ///   - kind: its kind.
    ///   - name: its name.
    ///   - ends: when `sweep` may remove it.
    /// - Returns: false if the name is taken; of several callers, in this process or another, one gets true.
    /// - Throws: `StoreError`; then a form is not there, and a state may be.
    func put(_ bytes: [UInt8], _ kind: RecordKind, _ name: RecordName, ends: Date) async throws(StoreError) -> Bool

    /// Reads a record.
    ///
    /// - Returns: its bytes; nil if it does not exist, and no bytes if something else has its name.
    /// - Throws: `StoreError` if the place fails.
    func get(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]?

    /// Removes a record and returns its bytes, to only one of several callers, in this process or another.
    ///
    /// - Returns: nil if it does not exist.
    /// - Throws: `StoreError` if the place fails; then the record may be gone.
    func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]?

    /// Removes the records of a kind that have ended: their end is `now` or earlier.
    ///
    /// - Returns: what was removed, and what is left.
    /// - Throws: `StoreError`; some may be removed.
    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> SweptRecords

    // MARK: Tokens and their owners

    /// Adds tokens, and those of their owners that are missing. They are durable when this returns.
    ///
    /// - Parameters:
    ///   - tokens: the tokens; one whose name is taken is not added.
    ///   - owners: their owners; one that is stored already stays as it is.
    ///   - room: how many tokens there may be; nil: any number.
    /// - Returns: false if not all tokens were added, because a name is taken or because there is no room for a token.
    /// - Throws: `StoreError`; then some may be there.
    func add(_ tokens: [TokenRecord], owners: [TokenOwner], room: TokenRoom?) async throws(StoreError) -> Bool

    /// Reads a token, and the owner with the name in it; the owner is nil if it is missing or damaged.
    ///
    /// - Returns: nil if the token does not exist or is damaged.
    /// - Throws: `StoreError` if the place fails.
    func token(_ id: PersonalTokenID) async throws(StoreError) -> (token: TokenRecord, owner: TokenOwner?)?

    /// Notes when a token was used, immediately or within a few seconds. If the note is lost, lists show an earlier last use.
    func noteUse(_ id: PersonalTokenID, _ now: Date)

    /// Lists tokens, also those that have ended.
    ///
    /// - Parameter owners: the names of owners; nil: all owners.
    /// - Returns: all tokens of the owners that can be read; tokens of other owners may be among them.
    /// - Throws: `StoreError` if the place fails.
    func tokens(of owners: [[UInt8]]?) async throws(StoreError) -> [TokenRecord]

    /// Removes tokens durably, and the owners that have none left.
    ///
    /// - Returns: how many tokens this call removed.
    /// - Throws: `StoreError`; some may be removed.
    func remove(_ tokens: TokenChoice) async throws(StoreError) -> Int

    /// Lists owners.
    ///
    /// - Parameter names: the names of owners; nil: all owners.
    /// - Returns: those that can be read, in the order of the names.
    /// - Throws: `StoreError` if the place fails.
    func owners(_ names: [[UInt8]]?) async throws(StoreError) -> [TokenOwner]

    /// Replaces an owner that is stored under the same name durably; does nothing if there is none.
    ///
    /// - Throws: `StoreError`; then the owner may be replaced.
    func replace(_ owner: TokenOwner) async throws(StoreError)
}

/// What a record is for.
package enum RecordKind: Sendable {
    /// The mark of a state that was used: durable, and without bytes.
    case state
    /// A form that waits for its sender: not durable, because after a loss of power the browser still has the form.
    case form
}

/// What a sweep of the records of one kind removed, and what it left.
package struct SweptRecords: Sendable {
    /// The number of records that were removed.
    package var removed: Int
    /// The number of records that are left.
    package var left: Int
    /// The records that are left, if they are forms.
    package var forms: [RecordEntry] = []
    /// How many more states the place has room for; nil if it does not say.
    package var room: Int?

    package init(removed: Int = 0, left: Int = 0) {
        (self.removed, self.left) = (removed, left)
    }
}

/// A record without its bytes.
package struct RecordEntry: Sendable {
    package let name: RecordName
    package let byteCount: Int
    /// When `sweep` may remove it.
    package let ends: Date

    package init(name: RecordName, byteCount: Int, ends: Date) {
        (self.name, self.byteCount, self.ends) = (name, byteCount, ends)
    }
}

/// How many tokens there may be when a token is added, also if several processes add tokens at the same time.
package struct TokenRoom: Sendable {
    /// For all owners together.
    package let total: Int
    /// For one owner.
    package let owned: Int
    /// The names of the owner.
    package let names: [[UInt8]]

    package init(total: Int, owned: Int, names: [[UInt8]]) {
        (self.total, self.owned, self.names) = (total, owned, names)
    }
}

/// The tokens to remove.
package enum TokenChoice: Sendable {
    /// Tokens by ID, and the owners with some names, unless an owner has other tokens that can be read.
    case tokens(Set<PersonalTokenID>, owners: [[UInt8]] = [])
    /// Tokens that have ended, and what programs left that ended while they added a token.
    case ended(Date)

    package func contains(_ token: TokenRecord) -> Bool {
        switch self {
        case .tokens(let ids, _): ids.contains(token.id)
        case .ended(let now): token.grant.expires <= now
        }
    }
}
