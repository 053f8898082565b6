import Crypto

package import struct FoundationEssentials.Date

/// What a personal token permits: whose it is, where it may be used, and until when.
package struct TokenGrant: Sendable, Equatable {
    /// The issuer and the subject of the owner.
    package let issuer: String
    package let subject: String
    /// The name that the owner or the operator gave the token.
    package let name: String
    /// The paths below which the token may be used.
    package let locations: [String]
    package let created: Date
    package let expires: Date
    /// The last characters of the token, by which its owner recognizes it in a file; nil in records of earlier versions.
    package let ending: String?

    package init(owner: Identity, name: String, locations: [String], created: Date, expires: Date) {
        ending = nil
        (issuer, subject) = (owner.issuer, owner.subject)
        (self.name, self.locations) = (name, locations)
        (self.created, self.expires) = (created, expires)
    }

    /// The grant of a token that ends with these characters.
    package func ending(_ characters: String) -> TokenGrant { TokenGrant(self, ending: characters) }

    private init(_ grant: TokenGrant, ending: String) {
        (issuer, subject, name, locations) = (grant.issuer, grant.subject, grant.name, grant.locations)
        (created, expires, self.ending) = (grant.created, grant.expires, ending)
    }

    private init?(_ fields: inout RecordReader, hasEnding: Bool) {
        guard let created = fields.date(),
            let expires = fields.date(),
            let issuer = fields.string(),
            let subject = fields.string(),
            let name = fields.string(),
            let count = fields.integer(UInt16.self)
        else { return nil }
        var locations: [String] = []
        for _ in 0..<count {
            guard let location = fields.string() else { return nil }
            locations.append(location)
        }
        (self.created, self.expires, self.issuer, self.subject) = (created, expires, issuer, subject)
        (self.name, self.locations) = (name, locations)
        guard hasEnding else {
            ending = nil
            return
        }
        guard let ending = fields.string() else { return nil }
        self.ending = ending
    }

    /// The owner, without name and e-mail address.
    package var owner: Identity { Identity(issuer: issuer, subject: subject) }

    /// Whether a member is the owner.
    package func isOwned(by member: Identity) -> Bool { owner.isSameMember(as: member) }
}

// MARK: - Records

extension TokenGrant {
    private static let magic = [UInt8]("LSPT".utf8)
    /// Version 1 has no last characters of the token.
    private static let version: UInt16 = 2

    /// The readable part of a token's record.
    ///
    /// ```
    /// "LSPT"  version (2)  length (4)  fields  nonce (12)  tag (16)
    /// ```
    var record: [UInt8] {
        var fields = RecordWriter()
        fields.append(created)
        fields.append(expires)
        fields.append(issuer)
        fields.append(subject)
        fields.append(name)
        fields.append(UInt16(clamping: locations.count))
        for location in locations { fields.append(location) }
        if let ending { fields.append(ending) }
        var writer = RecordWriter()
        writer.append(raw: Self.magic)
        writer.append(ending == nil ? 1 : Self.version)
        writer.append(sized: fields.bytes)
        return writer.bytes
    }

    /// Reads the readable part of a record, and its end; nil for a damaged record and for one of a newer version.
    ///
    /// Only the token can tell whether somebody changed the record.
    static func read(_ record: [UInt8]) -> (grant: TokenGrant, end: Int)? {
        var reader = RecordReader(record)
        guard reader.skip(magic), let written = reader.integer(UInt16.self), 1...version ~= written,
            var fields = reader.parts(), let grant = TokenGrant(&fields, hasEnding: written > 1), fields.isAtEnd
        else { return nil }
        return (grant, reader.position)
    }

    /// The readable part of a record, for lists; nil for a damaged record and for one of a newer version.
    package init?(readablePartOf record: [UInt8]) {
        guard let (grant, _) = Self.read(record) else { return nil }
        self = grant
    }
}

/// The identity of a member who owns personal tokens, as of the member's last sign-in.
package enum TokenOwner {
    private static let magic = [UInt8]("LSPO".utf8)
    private static let version: UInt16 = 1

    /// The record of an owner.
    package static func record(of identity: Identity) -> [UInt8] {
        var writer = RecordWriter()
        writer.append(raw: magic)
        writer.append(version)
        writer.append(identity.issuer)
        writer.append(identity.subject)
        writer.append(identity.name) { $0.append($1) }
        writer.append(identity.email) { $0.append($1) }
        writer.append(identity.emailVerified)
        return writer.bytes
    }

    /// The owner of a record; nil for a damaged record and for one of a newer version.
    package static func read(_ record: [UInt8]) -> Identity? {
        var reader = RecordReader(record)
        guard reader.skip(magic), reader.integer(UInt16.self) == version,
            let issuer = reader.string(),
            let subject = reader.string(),
            let name = reader.optional({ $0.string() }),
            let email = reader.optional({ $0.string() }),
            let emailVerified = reader.bool(),
            reader.isAtEnd
        else { return nil }
        return Identity(issuer: issuer, subject: subject, name: name, email: email, emailVerified: emailVerified)
    }

    /// The name of an owner's record: 16 bytes of a hash of issuer and subject.
    static func name(_ member: Identity) -> RecordName {
        // A NUL separates the two: an issuer is a URL and contains none.
        RecordName(hash: SHA256.hash(data: Array(member.issuer.utf8) + [0] + Array(member.subject.utf8)))
    }
}
