import Sessions

/// Personal tokens as text for the operator.
enum TokenText {
    /// A table with a line of titles and a line for each token.
    static func table(_ tokens: [ListedToken]) -> String {
        let titles = ["ID", "ENDS (UTC)", "LAST USED (UTC)", "SUBJECT", "NAME"]
        let rows = tokens.map { token in
            [
                String(token.id.description.prefix(SessionText.shortID)), SessionText.minute(token.grant.expires),
                token.used.map(SessionText.minute) ?? "never", SessionText.printable(token.grant.subject),
                SessionText.printable(token.grant.name),
            ]
        }
        return SessionText.table([titles] + rows)
    }

    /// A JSON array with a line for each token.
    static func json(_ tokens: [ListedToken]) -> String {
        tokens.isEmpty ? "[]\n" : "[\n\(tokens.map { json($0) }.joined(separator: ",\n"))\n]\n"
    }

    /// A JSON object on one line.
    static func json(_ token: ListedToken) -> String {
        let used = token.used.map { SessionText.quoted(SessionText.iso($0)) } ?? "null"
        return SessionText.object(fields(token.id, token.grant) + [("last_used", used)])
    }

    /// A JSON object with the token itself, on one line.
    static func json(_ token: PersonalToken, _ grant: TokenGrant) -> String {
        SessionText.object([("token", SessionText.quoted(token.text))] + fields(PersonalTokenSeal(token).id, grant))
    }

    private static func fields(_ id: PersonalTokenID, _ grant: TokenGrant) -> [(name: String, value: String)] {
        [
            ("id", SessionText.quoted(id.description)), ("name", SessionText.quoted(grant.name)),
            ("subject", SessionText.quoted(grant.subject)), ("issuer", SessionText.quoted(grant.issuer)),
            ("locations", "[\(grant.locations.map(SessionText.quoted).joined(separator: ","))]"),
            ("made", SessionText.quoted(SessionText.iso(grant.created))),
            ("ends", SessionText.quoted(SessionText.iso(grant.expires))),
        ]
    }

    /// A line for each value.
    static func page(_ token: ListedToken) -> String {
        let lines = [
            ("id", token.id.description), ("name", token.grant.name), ("subject", token.grant.subject),
            ("issuer", token.grant.issuer), ("locations", token.grant.locations.joined(separator: " ")),
            ("made", SessionText.iso(token.grant.created)), ("ends", SessionText.iso(token.grant.expires)),
            ("last used", token.used.map(SessionText.iso) ?? "never"),
        ]
        return lines.map { "\($0): \(SessionText.printable($1))\n" }.joined()
    }
}
