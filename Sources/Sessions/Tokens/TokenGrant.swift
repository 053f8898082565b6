package import struct FoundationEssentials.Date

/// What a personal token permits: whose it is, where it may be used, and until when.
package struct TokenGrant: Sendable, Equatable {
    package let owner: Member
    /// The name that the owner or the operator gave the token.
    package let name: String
    /// The paths below which the token may be used.
    package let locations: [String]
    package let created: Date
    package let expires: Date
    /// The last characters of the token, by which its owner recognizes it in a file; nil in records of earlier versions.
    package let ending: String?

    package init(owner: Member, name: String, locations: [String], created: Date, expires: Date) {
        ending = nil
        self.owner = owner
        (self.name, self.locations) = (name, locations)
        (self.created, self.expires) = (created, expires)
    }

    /// The grant of a token that ends with these characters.
    package func ending(_ characters: String) -> TokenGrant { TokenGrant(self, ending: characters) }

    private init(_ grant: TokenGrant, ending: String) {
        (owner, name, locations) = (grant.owner, grant.name, grant.locations)
        (created, expires, self.ending) = (grant.created, grant.expires, ending)
    }

    private init?(_ fields: inout RecordReader, version: UInt16) {
        guard let provider = version > 2 ? fields.string().flatMap(ProviderID.init) : .linkedIn,
            let created = fields.date(),
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
        owner = Member(provider: provider, subject: subject, issuer: issuer)
        (self.created, self.expires) = (created, expires)
        (self.name, self.locations) = (name, locations)
        guard version > 1 else {
            ending = nil
            return
        }
        guard let ending = fields.string() else { return nil }
        self.ending = ending
    }

    // MARK: - Records

    private static let magic = [UInt8]("LSPT".utf8)
    /// Version 1 has no last characters of the token.
    ///
    /// Versions 1 and 2 have no provider: it is LinkedIn, for which they are
    /// still written.
    private static let version: UInt16 = 3

    /// The readable part of a token's record.
    ///
    /// ```
    /// "LSPT"  version (2)  length (4)  fields  nonce (12)  tag (16)
    /// ```
    var record: [UInt8] {
        let hasProvider = owner.provider != .linkedIn
        var fields = RecordWriter()
        if hasProvider { fields.append(owner.provider.description) }
        fields.append(created)
        fields.append(expires)
        fields.append(owner.issuer)
        fields.append(owner.subject)
        fields.append(name)
        fields.append(UInt16(clamping: locations.count))
        for location in locations { fields.append(location) }
        if let ending = ending ?? (hasProvider ? "" : nil) { fields.append(ending) }
        var writer = RecordWriter()
        writer.append(raw: Self.magic)
        writer.append(hasProvider ? Self.version : ending == nil ? 1 : 2)
        writer.append(sized: fields.bytes)
        return writer.bytes
    }

    /// Reads the readable part of a record, and its end; nil for a damaged record and for one of a newer version.
    ///
    /// Only the token can tell whether somebody changed the record.
    static func read(_ record: [UInt8]) -> (grant: TokenGrant, end: Int)? {
        var reader = RecordReader(record)
        guard reader.skip(magic), let written = reader.integer(UInt16.self), 1...version ~= written,
            var fields = reader.parts(), let grant = TokenGrant(&fields, version: written), fields.isAtEnd
        else { return nil }
        return (grant, reader.position)
    }
}
