import Sessions

/// Personal tokens as text for the operator.
enum TokenText {
    /// A table with a line of titles and a line for each token.
    static func table(_ tokens: [OwnedToken]) -> String {
        let titles = ["ID", "ENDS (UTC)", "LAST USED (UTC)", "SUBJECT", "E-MAIL", "NAME"]
        let rows = tokens.map { token in
            [
                String(token.id.description.prefix(SessionText.shortID)), SessionText.minute(token.grant.expires),
                token.token.used.map(SessionText.minute) ?? "never",
                SessionText.printable(token.grant.owner.uniqueSubject),
                SessionText.printable(token.owner.email ?? "-"), SessionText.printable(token.grant.name),
            ]
        }
        return SessionText.table([titles] + rows)
    }

    /// A JSON array with a line for each token.
    static func json(_ tokens: [OwnedToken]) -> String {
        tokens.isEmpty ? "[]\n" : "[\n\(tokens.map { json($0) }.joined(separator: ",\n"))\n]\n"
    }

    /// A JSON object on one line.
    static func json(_ token: OwnedToken) -> String {
        let used = token.token.used.map { SessionText.quoted(SessionText.iso($0)) } ?? "null"
        return SessionText.object(fields(token.id, token.grant, token.owner) + [("last_used", used)])
    }

    /// A JSON object with the token itself, on one line.
    static func json(_ token: PersonalToken, _ grant: TokenGrant, _ owner: Identity) -> String {
        let secret = ("token", SessionText.quoted(token.text))
        return SessionText.object([secret] + fields(PersonalTokenSeal(token).id, grant, owner))
    }

    private static func fields(
        _ id: PersonalTokenID,
        _ grant: TokenGrant,
        _ owner: Identity
    ) -> [(name: String, value: String)] {
        [
            ("id", SessionText.quoted(id.description)), ("name", SessionText.quoted(grant.name)),
            ("subject", SessionText.quoted(grant.owner.uniqueSubject)),
            ("issuer", SessionText.quoted(grant.owner.issuer)),
            ("email", owner.email.map(SessionText.quoted) ?? "null"),
            ("locations", "[\(grant.locations.map(SessionText.quoted).joined(separator: ","))]"),
            ("made", SessionText.quoted(SessionText.iso(grant.created))),
            ("ends", SessionText.quoted(SessionText.iso(grant.expires))),
        ]
    }

    /// A line for each value.
    static func page(_ token: OwnedToken) -> String {
        let lines = [
            ("id", token.id.description), ("name", token.grant.name), ("subject", token.grant.owner.uniqueSubject),
            ("issuer", token.grant.owner.issuer), ("e-mail", token.owner.email ?? "-"),
            ("locations", token.grant.locations.joined(separator: " ")),
            ("made", SessionText.iso(token.grant.created)), ("ends", SessionText.iso(token.grant.expires)),
            ("last used", token.token.used.map(SessionText.iso) ?? "never"),
        ]
        return lines.map { "\($0): \(SessionText.printable($1))\n" }.joined()
    }
}
