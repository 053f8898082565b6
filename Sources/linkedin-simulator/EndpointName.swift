/// The name of an endpoint in faults and in the journal.
enum EndpointName: String, Sendable, CaseIterable {
    case authorization
    case consent
    case token
    case introspection
    case jwks
    case discovery
    case userinfo
    case identityMe
    case me
    case v1
    case profile
    case picture
    /// Where the fault `redirect` points to.
    case elsewhere
    /// Every other path.
    case unknown

    /// Whether a correct answer is a JSON object.
    var answersJSON: Bool {
        switch self {
        case .token, .introspection, .jwks, .discovery, .userinfo, .identityMe, .me, .v1: true
        case .authorization, .consent, .profile, .picture, .elsewhere, .unknown: false
        }
    }
}
