import OpenID
import Provider
package import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// Creates and stores the session of an access token that another program of the same application obtained.
    ///
    /// - Parameter accessToken: the token, as received.
    /// - Returns: the ticket, which is not stored anywhere, and the session.
    /// - Throws: `OpenIDError` if the token is refused or the provider did not answer, `StoreError` if the session could
    ///   not be stored.
    package func importSession(accessToken: String) async throws -> (ticket: Ticket, session: Session) {
        let session = try await session(ofImported: accessToken)
        try await personalTokens?.store.updateOwner(session.identity)
        return (try await sessions.create(session, now: now()), session)
    }

    /// Ends a session that nobody can use, because its ticket was lost.
    ///
    /// - Throws: `StoreError` if the store failed; the session then ends at its time limit.
    package func endSession(_ ticket: Ticket) async throws(StoreError) {
        try await sessions.remove(ticket)
    }

    /// Asks the provider about a token and then for the identity of its member.
    ///
    /// The identity equals that of a sign-in in a browser: the subject of userinfo is that of the ID token (OpenID
    /// Connect Core §5.3.2), and plain OAuth reads the same profile. With an ID token the issuer is the one in it; here it
    /// is the first accepted one.
    func session(ofImported accessToken: String) async throws(OpenIDError) -> Session {
        let token = try await client.introspect(accessToken: accessToken)
        let tokens = Tokens(accessToken: accessToken, accessTokenExpires: token.expires, scopes: token.scopes)
        guard client.options.issuesIDToken else {
            let profile = try await firstProfile(tokens)
            return try session(Identity(profile, issuer: issuer), tokens, CachedProfile(profile, fetched: now()))
        }
        let claims = try await unlessHeld { () async throws(OpenIDError) in
            try await client.userInfo(ofIntrospected: accessToken)
        }
        let identity = Identity(
            provider: .linkedIn,
            issuer: issuer,
            subject: claims.subject,
            name: claims.name,
            email: claims.email,
            emailVerified: claims.emailVerified
        )
        guard profileSource.product == .openid else {
            return session(identity, tokens, CachedProfile(claims, identity: identity))
        }
        return session(identity, tokens, try CachedProfile(Profile(claims, identity: identity), fetched: now()))
    }

    private var issuer: String { client.options.issuers.first ?? "" }

    private func session(_ identity: Identity, _ tokens: Tokens, _ profile: CachedProfile?) -> Session {
        let now = now()
        return Session(
            identity: identity,
            created: now,
            expires: now.addingTimeInterval(Double(sessionLifetime)),
            tokens: tokens,
            profile: profile
        )
    }
}

extension Identity {
    fileprivate init(_ profile: Profile, issuer: String) {
        self.init(
            provider: .linkedIn,
            issuer: issuer,
            subject: profile.subject,
            name: profile.name,
            email: profile.email
        )
    }
}
