package import struct FoundationEssentials.Date

/// The claims of a verified logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).
package struct LogoutToken: Sendable, Equatable {
    package let issuer: String
    /// The subject as in `IDToken`; nil if the token names only a session of the provider.
    package let subject: String?
    /// The provider's session (`sid`); nil if all sessions of the member ended.
    package let session: String?
    /// The ID of the token (`jti`).
    package let id: String
    /// When the token is too old to be accepted.
    package let ends: Date
}

extension OpenIDClient {
    /// Verifies a logout token by every rule of OpenID Connect Back-Channel Logout 1.0 §2.6 but the first use of its ID.
    ///
    /// - Throws: `logoutTokenMalformed`, one of the `idToken…` codes, `keysUnavailable` or `busy`.
    package func verify(logoutToken: String) async throws(OpenIDError) -> LogoutToken {
        let token = try SignedToken(logoutToken, options, types: ["jwt", "logout+jwt"])
        let claims = token.claims
        // First, because an ID token needs no check of its signature to be rejected.
        guard claims.areOfLogout else { throw Self.malformed("events does not name a logout") }
        guard claims["nonce"] == nil else { throw Self.malformed("a logout token has no nonce") }
        try await checkSignature(of: token, keys: .logoutToken)
        let issuer = try checkIssuer(claims)
        try checkAudience(claims)
        let (issued, expires) = try checkTimes(claims)
        guard let id = claims.text("jti", limit: 1024) else { throw Self.malformed("jti is not the ID of a token") }
        guard claims["sub"] != nil || claims["sid"] != nil else { throw Self.malformed("sub and sid are missing") }
        let session = claims.text("sid", limit: 2048)
        guard claims["sid"] == nil || session != nil else { throw Self.malformed("sid is not the ID of a session") }
        var subject: String?
        if claims["sub"] != nil {
            guard let own = claims.subject else { throw Self.malformed("sub is not a subject identifier") }
            subject = try qualified(own, claims, issuer)
        } else if options.tenants != nil {
            throw Self.malformed("sub is missing, which tells the tenant")
        }
        let oldest = issued.addingTimeInterval(Self.oldestToken)
        let ends = min(expires, oldest).addingTimeInterval(Double(options.clockLeeway))
        return LogoutToken(issuer: issuer, subject: subject, session: session, id: id, ends: ends)
    }

    private static func malformed(_ detail: String) -> OpenIDError {
        OpenIDError(.logoutTokenMalformed, detail: detail)
    }
}

extension Claims {
    /// Whether the claims are those of a logout token, which is never an ID token.
    var areOfLogout: Bool {
        self["events"]?["http://schemas.openid.net/event/backchannel-logout"]?.objectValue != nil
    }
}
