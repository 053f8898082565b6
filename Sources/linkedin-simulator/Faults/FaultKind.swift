/// What can go wrong at an endpoint.
enum FaultKind: String, Sendable, CaseIterable {
    case delay, hang, close, drip
    case truncated
    case truncatedChunks = "truncated-chunks"
    case status, revoked, redirect, answer
    case garbage, html, empty
    case jsonArray = "json-array"
    case huge, deep
    case duplicateKeys = "duplicate-keys"
    case claims

    case wrongSignature = "wrong-signature"
    case wrongAudience = "wrong-aud"
    case wrongIssuer = "wrong-iss"
    case wrongNonce = "wrong-nonce"
    case expired
    case notYet = "not-yet"
    case noIssueTime = "no-iat"
    case noSubject = "no-sub"
    case algorithmNone = "alg-none"
    case algorithmHS256 = "alg-hs256"
    case unknownKey = "unknown-kid"
    case noKey = "no-kid"

    case noIDToken = "no-id-token"
    case macTokenType = "mac-token-type"
    case missingAccessToken = "missing-access-token"
    case absurdExpiresIn = "absurd-expires-in"

    case otherSubject = "other-sub"
    case xss
    case evilLink = "evil-link"

    case otherKey = "other-key"
    case brokenKey = "broken-key"
    case manyKeys = "many-keys"

    /// Whether the fault makes sense at an endpoint.
    func applies(to endpoint: EndpointName) -> Bool {
        switch self {
        case .delay, .hang, .close, .drip, .truncated, .truncatedChunks, .status, .redirect, .answer, .garbage, .html,
            .empty, .huge:
            true
        case .jsonArray, .deep, .duplicateKeys: endpoint.answersJSON
        case .revoked: [.userinfo, .identityMe, .me, .v1].contains(endpoint)
        case .wrongSignature, .wrongAudience, .wrongIssuer, .wrongNonce, .expired, .notYet, .noIssueTime, .noSubject,
            .algorithmNone, .algorithmHS256, .unknownKey, .noKey, .noIDToken, .macTokenType, .missingAccessToken,
            .absurdExpiresIn, .claims:
            endpoint == .token
        case .otherSubject: endpoint == .userinfo
        case .xss: [.token, .userinfo, .identityMe, .me].contains(endpoint)
        case .evilLink: [.userinfo, .identityMe, .me, .v1].contains(endpoint)
        case .otherKey, .brokenKey, .manyKeys: endpoint == .jwks
        }
    }
}
