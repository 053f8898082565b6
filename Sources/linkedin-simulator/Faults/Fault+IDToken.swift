extension Fault {
    /// Spoils an ID token before it is signed.
    func alter(_ token: inout IDToken) {
        switch kind {
        case .wrongSignature: token.isTampered = true
        case .algorithmNone: token.signing = .none
        case .algorithmHS256: token.signing = .hs256
        case .unknownKey: token.keyIdentifier = RandomText.make(characters: 36)
        case .noKey: token.keyIdentifier = nil
        case .wrongAudience: token.claims["aud"] = "another-client"
        case .wrongIssuer: token.claims["iss"] = "https://issuer.example"
        case .wrongNonce: token.claims["nonce"] = "another-nonce"
        case .noIssueTime: token.claims["iat"] = nil
        case .noSubject: token.claims["sub"] = nil
        case .expired: token.shift(by: -86_400)
        case .notYet:
            token.shift(by: 86_400)
            token.claims["nbf"] = token.claims["iat"]
        case .xss: token.claims = Markup.inNames(of: token.claims)
        case .claims:
            guard case .object(let claims) = options[.claims] else { return }
            for claim in claims.members { token.claims[claim.name] = claim.value == .null ? nil : claim.value }
        default: return
        }
    }
}

extension IDToken {
    fileprivate mutating func shift(by seconds: Int) {
        for name in ["iat", "exp"] {
            if case .int(let time) = claims[name] { claims[name] = .int(time + seconds) }
        }
    }
}
