import Sessions

import struct FoundationEssentials.Date

extension OwnedToken: Listed {
    static let noun = "personal token"
    static let titles = ["ID", "ENDS (UTC)", "LAST USED (UTC)", "SUBJECT", "E-MAIL", "NAME"]

    var created: Date { grant.created }

    var cells: [String] {
        [
            String(id.description.prefix(SessionText.shortID)), SessionText.minute(grant.expires),
            token.used.map(SessionText.minute) ?? "never", SessionText.printable(grant.owner.uniqueSubject),
            SessionText.printable(owner.email ?? "-"), SessionText.printable(grant.name),
        ]
    }

    var members: [(name: String, value: String)] {
        grant.members(id, of: owner) + [("last_used", token.used.map(SessionText.time) ?? "null")]
    }

    var lines: [(name: String, value: String)] {
        [
            ("id", id.description), ("name", grant.name), ("subject", grant.owner.uniqueSubject),
            ("issuer", grant.owner.issuer), ("e-mail", owner.email ?? "-"),
            ("locations", grant.locations.joined(separator: " ")), ("made", SessionText.iso(grant.created)),
            ("ends", SessionText.iso(grant.expires)), ("last used", token.used.map(SessionText.iso) ?? "never"),
        ]
    }
}

extension TokenGrant {
    /// The members of a JSON object about a token with this grant.
    func members(_ id: PersonalTokenID, of owner: Identity) -> [(name: String, value: String)] {
        [
            ("id", SessionText.quoted(id.description)), ("name", SessionText.quoted(name)),
            ("subject", SessionText.quoted(self.owner.uniqueSubject)),
            ("issuer", SessionText.quoted(self.owner.issuer)),
            ("email", owner.email.map(SessionText.quoted) ?? "null"),
            ("locations", "[\(locations.map(SessionText.quoted).joined(separator: ","))]"),
            ("made", SessionText.time(created)), ("ends", SessionText.time(expires)),
        ]
    }
}
