package import struct FoundationEssentials.Date

/// The part of a record that is readable without the visitor's ticket: for the sweeper, and for administration.
///
/// Only who opens the record knows that nobody changed it.
package struct RecordHeader: Sendable, Equatable {
    package var identity: Identity
    package var created: Date
    package var expires: Date
}

extension RecordHeader {
    /// What the first bytes of a file say.
    enum Reading: Sendable, Equatable {
        /// The header, and where what follows it begins.
        case header(RecordHeader, end: Int)
        /// A record of a version that this program does not know; a newer one may.
        case newer
        case damaged
    }

    static let magic = [UInt8]("LISS".utf8)
    static let version: UInt16 = 1

    static func read(_ bytes: [UInt8]) -> Reading {
        var reader = RecordReader(bytes)
        guard reader.skip(magic),
            let version = reader.integer(UInt16.self),
            version != 0
        else { return .damaged }
        guard version == Self.version else { return .newer }
        guard var fields = reader.parts() else { return .damaged }
        guard let header = RecordHeader(&fields), fields.isAtEnd else { return .damaged }
        return .header(header, end: reader.position)
    }

    private init?(_ reader: inout RecordReader) {
        guard let created = reader.date(),
            let expires = reader.date(),
            let issuer = reader.string(),
            let subject = reader.string(),
            let name = reader.optional({ $0.string() }),
            let email = reader.optional({ $0.string() }),
            let emailVerified = reader.bool()
        else { return nil }
        self.created = created
        self.expires = expires
        identity = Identity(issuer: issuer, subject: subject, name: name, email: email, emailVerified: emailVerified)
    }

    func write(to writer: inout RecordWriter) {
        var fields = RecordWriter()
        fields.append(created)
        fields.append(expires)
        fields.append(identity.issuer)
        fields.append(identity.subject)
        fields.append(identity.name) { $0.append($1) }
        fields.append(identity.email) { $0.append($1) }
        fields.append(identity.emailVerified)
        writer.append(raw: Self.magic)
        writer.append(Self.version)
        writer.append(sized: fields.bytes)
    }
}
