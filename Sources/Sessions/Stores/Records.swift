package import struct FoundationEssentials.Date

/// Durable bytes by kind and name, in files or in a database, for all processes that use the same place.
///
/// An implementation does not know what the bytes mean. After an error with the code `.busy` nothing has happened; after
/// every other error, a change may have happened.
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
    /// - Returns: how many were removed, and how many are left.
    /// - Throws: `StoreError`; some may be removed.
    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> (removed: Int, left: Int)

    /// Lists the forms.
    ///
    /// - Throws: `StoreError` if the place fails.
    func forms() async throws(StoreError) -> [RecordEntry]

    /// The number of records that the place has room for; nil if it does not say.
    ///
    /// - Throws: `StoreError` if the place fails.
    func room() throws(StoreError) -> Int?
}

/// What a record is for.
package enum RecordKind: Sendable {
    /// The mark of a state that was used: durable, and without bytes.
    case state
    /// A form that waits for its sender: not durable, because after a loss of power the browser still has the form.
    case form
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
