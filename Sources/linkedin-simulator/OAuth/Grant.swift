/// What a member has allowed an application.
struct Grant: Sendable {
    let member: Member
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    let nonce: String?
    /// The S256 code challenge (RFC 7636 section 4.2).
    let challenge: String?
    /// Seconds since 1970.
    let time: Int
}
