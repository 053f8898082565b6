/// An ID token written by hand, member by member, each value being raw JSON.
struct TokenText {
    var header: [String: String]
    var claims: [String: String]

    /// A token as LinkedIn issues it, with some members changed, or taken out by nil.
    init(header: [String: String?] = [:], claims: [String: String?] = [:]) {
        self.header = ["zip": #""RS256""#, "typ": #""JWT""#, "kid": #""first""#, "alg": #""RS256""#]
        self.claims = [
            "iss": #""https://www.linkedin.com/oauth""#, "aud": #""client""#, "sub": #""782bbtaQ-_""#,
            "iat": "1799999990", "exp": "1800003590", "name": #""Zoë 🦊""#, "given_name": #""Zoë""#,
            "family_name": #""🦊""#, "picture": #""https://media.example/p?e=1&v=beta""#,
            "email": #""zoe@site.example""#, "email_verified": #""true""#, "locale": #""en_US""#,
        ]
        for (name, value) in header { self.header[name] = value }
        for (name, value) in claims { self.claims[name] = value }
    }

    var signingInput: String { "\(Self.object(header).base64URL).\(Self.object(claims).base64URL)" }

    func signed(by key: SigningKey) throws -> String {
        "\(signingInput).\(try key.sign(signingInput))"
    }

    private static func object(_ members: [String: String]) -> String {
        "{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }
}
