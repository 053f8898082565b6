import Crypto
import Encoding

/// A token that a script sends in place of a session cookie: a prefix, and 32 random bytes in base64url.
///
/// The prefix lets people and secret scanners recognize a token in a file. A token never prints its bytes: anyone who has
/// them has the access of its owner.
package struct PersonalToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package static let prefix = "lsi_"
    private static let byteCount = 32
    fileprivate let bytes: [UInt8]

    /// Makes a new token.
    package init(random: RandomBytes) throws(StoreError) {
        bytes = try random(Self.byteCount)
    }

    /// Reads a token; nil unless the text is the prefix and exactly the base64url of 32 bytes.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix),
            let bytes = Base64URL.decode(String(text.dropFirst(Self.prefix.count))), bytes.count == Self.byteCount
        else { return nil }
        self.bytes = bytes
    }

    /// The token as its owner gets it: 47 characters.
    package var text: String { Self.prefix + Base64URL.encode(bytes) }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The name of a personal token in a store: made from a hash of the token.
package typealias PersonalTokenID = RecordID<PersonalToken>

/// What a store needs of a personal token: its name there, and the key that authenticates its record.
///
/// Both are derived from the token with a fast hash. A slow one, as for passwords, would not help: nobody can guess 256
/// random bits. The record is readable, so that its owner and the operator can list it, but only the token has the key:
/// anyone who changes the record makes it unusable.
package struct PersonalTokenSeal: Sendable {
    package let id: PersonalTokenID
    private let key: SymmetricKey
    private let ending: String

    package init(_ token: PersonalToken) {
        id = PersonalTokenID(RecordName(hash: Self.derive(token, "name")))
        key = SymmetricKey(data: Self.derive(token, "key"))
        ending = String(token.text.suffix(4))
    }

    private static func derive(_ token: PersonalToken, _ use: String) -> [UInt8] {
        KeyDerivation.expand(token.bytes, info: [UInt8]("linkedin-signin personal token v1 \(use)".utf8))
    }

    /// The record of a token.
    ///
    /// - Throws: `StoreError` if there are no random bytes.
    package func seal(_ grant: TokenGrant, random: RandomBytes) throws(StoreError) -> TokenRecord {
        let header = grant.ending(ending).record
        let nonce = try random(SealedBytes.nonceCount)
        guard let sealed = SealedBytes.seal([], behind: header, key: key, nonce: nonce),
            let record = TokenRecord(id: id, bytes: sealed, used: nil)
        else { throw StoreError(.unusable, detail: "the personal token could not be sealed") }
        return record
    }

    /// Whether no byte of the record was changed since it was sealed for this token.
    package func fits(_ record: TokenRecord) -> Bool {
        SealedBytes.isAuthentic(record.bytes, behind: record.end, key: key)
    }
}
