package import struct FoundationEssentials.Date

/// A personal token as a place keeps it: not the token, but what it permits.
package struct TokenRecord: Sendable, Equatable {
    package let id: PersonalTokenID
    package let bytes: [UInt8]
    /// The last use, an hour late at most; nil if there was none.
    package let used: Date?
    /// What is readable without the token; only the token can tell whether somebody changed it.
    package let grant: TokenGrant
    /// Where the readable part ends.
    let end: Int

    /// Nil if the bytes are damaged, or of a newer version.
    package init?(id: PersonalTokenID, bytes: [UInt8], used: Date?) {
        guard let (grant, end) = TokenGrant.read(bytes) else { return nil }
        (self.id, self.bytes, self.used) = (id, bytes, used)
        (self.grant, self.end) = (grant, end)
    }

    init?(_ record: ReadRecord) {
        let used = record.used > ReadRecord.unused ? record.used : nil
        self.init(id: PersonalTokenID(record.name), bytes: record.bytes, used: used)
    }

    /// The name of its owner.
    package var owner: [UInt8] { grant.owner.storedName }
}

/// The identity of a member who owns personal tokens, as of the member's last sign-in.
package struct TokenOwner: Sendable, Equatable {
    package var identity: Identity

    private static let magic = [UInt8]("LSPO".utf8)
    /// As in `RecordHeader`.
    private static let version: UInt16 = 3

    package init(_ identity: Identity) { self.identity = identity }

    /// Reads a record; nil for a damaged record and for one of a newer version.
    package init?(bytes: [UInt8]) {
        var reader = RecordReader(bytes)
        guard reader.skip(Self.magic), let written = reader.integer(UInt16.self), 1...Self.version ~= written,
            let provider = written > 1 ? reader.string().flatMap(ProviderID.init) : .linkedIn,
            let identity = reader.identity(at: provider, hasClaims: written > 2),
            reader.isAtEnd
        else { return nil }
        self.identity = identity
    }

    /// The name of its record: 32 bytes of a hash.
    package var name: [UInt8] { identity.member.storedName }

    package var bytes: [UInt8] {
        var writer = RecordWriter()
        let hasProvider = identity.provider != .linkedIn || identity.claims != nil
        writer.append(raw: Self.magic)
        writer.append(identity.claims != nil ? Self.version : hasProvider ? 2 : 1)
        if hasProvider { writer.append(identity.provider.description) }
        writer.append(identity)
        return writer.bytes
    }
}
