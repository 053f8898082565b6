import EventLog
import HTTP
import OpenID
import Provider
package import Sessions

import struct FoundationEssentials.Date

/// Makes the sessions of members who sign in.
package final class NewSessions: SiteFeature {
    let context: SiteContext
    /// Seconds.
    private let lifetime: Int

    init(_ context: SiteContext, lifetime: Int) {
        (self.context, self.lifetime) = (context, lifetime)
    }

    /// Creates a session from the tokens of a sign-in: verifies the identity and sets the absolute end.
    func session(
        from signIn: UnfinishedSignIns.SignIn,
        for pending: PendingSignIn,
        at provider: Provider
    ) async throws(OpenIDError) -> Session {
        let response = signIn.tokens
        let tokens = Tokens(response, issued: signIn.issued, requested: pending.scopes)
        guard provider.client.options.issuesIDToken else {
            return try await session(ofProfileFor: tokens, at: provider)
        }
        guard let idToken = response.idToken else { throw OpenIDError(.idTokenMissing) }
        let token = try await provider.client.verify(
            idToken: idToken,
            accessToken: response.accessToken,
            nonce: pending.attempt.nonce,
            started: pending.started
        )
        var member = token.member
        member.name = member.name ?? signIn.name
        let all = try await completed(member, tokens, at: provider)
        return try session(all ?? member, areProfile: all != nil, issuer: token.issuer, tokens, at: provider)
    }

    /// All claims about a member, if they need no further call for the profile; otherwise nil.
    ///
    /// Many providers have the name and the address only in userinfo (OpenID Connect Core §5.4).
    private func completed(
        _ claims: MemberClaims,
        _ tokens: Tokens,
        at provider: Provider
    ) async throws(OpenIDError) -> MemberClaims? {
        let options = provider.client.options
        guard options.userinfoEndpoint != nil else { return claims }
        let lacksName = claims.name == nil && options.scopes.contains("profile")
        let lacksAddress = claims.email == nil && options.scopes.contains("email")
        let lacksClaim = provider.keptClaims.areMissing(in: claims)
        guard options.completesIDToken, lacksName || lacksAddress || lacksClaim else { return nil }
        let more = try await unlessHeld(at: provider) { () async throws(OpenIDError) in
            try await provider.client.userInfo(accessToken: tokens.accessToken, subject: claims.subject)
        }
        return claims.completed(by: more)
    }

    /// Asks the provider about a token that another program of the same application obtained, and then for the identity of
    /// its member.
    ///
    /// The identity equals that of a sign-in in a browser: the subject of userinfo is that of the ID token (OpenID
    /// Connect Core §5.3.2), and plain OAuth reads the same profile. With an ID token the issuer is the one in it; here it
    /// is the first accepted one.
    func session(ofImported accessToken: String, at provider: Provider) async throws(OpenIDError) -> Session {
        let token = try await provider.client.introspect(accessToken: accessToken)
        let tokens = Tokens(accessToken: accessToken, accessTokenExpires: token.expires, scopes: token.scopes)
        guard provider.client.options.issuesIDToken else {
            return try await session(ofProfileFor: tokens, at: provider)
        }
        let claims = try await unlessHeld(at: provider) { () async throws(OpenIDError) in
            try await provider.client.userInfo(ofIntrospected: accessToken)
        }
        let areProfile = provider.profiles.isUserInfo
        return try session(claims, areProfile: areProfile, issuer: provider.issuer, tokens, at: provider)
    }

    /// Creates a session with the first profile, which identifies the member if there is no ID token (plain OAuth).
    private func session(
        ofProfileFor tokens: Tokens,
        at provider: Provider
    ) async throws(OpenIDError) -> Session {
        let profile = try await unlessHeld(at: provider) { () async throws(OpenIDError) in
            try await provider.profiles.fetch(
                ProfileCall(client: provider.client, accessToken: tokens.accessToken, patience: .long, log: log)
            )
        }
        let identity = Identity(
            provider: provider.id,
            issuer: provider.issuer,
            subject: profile.subject,
            name: profile.name,
            email: profile.email,
            emailVerified: profile.emailVerified ?? false,
            claims: profile.claims.flatMap { provider.keptClaims.kept(of: $0) }
        )
        return session(identity, tokens, try CachedProfile(profile, fetched: now()))
    }

    /// Creates a session from claims, which are the profile, or which pages show until the profile is fetched.
    private func session(
        _ claims: MemberClaims,
        areProfile: Bool,
        issuer: String,
        _ tokens: Tokens,
        at provider: Provider
    ) throws(OpenIDError) -> Session {
        let identity = Identity(
            provider: provider.id,
            issuer: issuer,
            subject: claims.subject,
            name: claims.name,
            email: claims.email,
            emailVerified: claims.emailVerified,
            claims: provider.keptClaims.kept(of: claims, withSession: provider.client.options.sendsLogoutTokens)
        )
        guard areProfile else { return session(identity, tokens, CachedProfile(claims, identity: identity)) }
        return session(identity, tokens, try CachedProfile(Profile(claims, identity: identity), fetched: now()))
    }

    private func session(_ identity: Identity, _ tokens: Tokens, _ profile: CachedProfile?) -> Session {
        let now = now()
        // The session does not end with its tokens, which the provider can revoke at any time anyway.
        let end = now.addingTimeInterval(Double(lifetime))
        return Session(identity: identity, created: now, expires: end, tokens: tokens, profile: profile)
    }

    /// Makes a call for a member who has no session yet, unless calls of the application are held back.
    private func unlessHeld<Answer>(
        at provider: Provider,
        _ call: () async throws(OpenIDError) -> Answer
    ) async throws(OpenIDError) -> Answer {
        if let held = provider.held.hold(for: nil, now: now()) {
            let wait = held.remaining(at: now())
            let throttle = Throttle(limit: .application, retryAfter: wait)
            throw OpenIDError(.throttled, detail: "held back for \(wait) seconds", throttle: throttle)
        }
        do {
            return try await call()
        } catch {
            if let held = HeldCall(error, isNewToken: true, now: now()) { provider.held.add(held, for: nil) }
            throw error
        }
    }

    /// Creates and stores the session of an access token that another program of the same application obtained.
    ///
    /// - Parameters:
    ///   - accessToken: the token, as received.
    ///   - id: the provider that issued it; nil for that of the settings file.
    /// - Returns: the ticket, which is not stored anywhere, and the session.
    /// - Throws: `OpenIDError` if the token is refused or the provider did not answer, `StoreError` if the session could
    ///   not be stored.
    package func importSession(
        accessToken: String,
        at id: ProviderID? = nil
    ) async throws -> (ticket: Ticket, session: Session) {
        let session = try await session(ofImported: accessToken, at: providers.named(id))
        try await store.tokens.updateOwner(session.identity)
        return (try await store.sessions.create(session, now: now()), session)
    }

    /// Ends the session of the ticket that the browser presents, against session fixation.
    func endPresentedSession(of request: Request) async {
        guard let ticket = SessionCookie.ticket(of: request) else { return }
        do {
            try await store.sessions.remove(ticket)
        } catch {
            log(LogEvent(.warning, .oldSessionKept, of: request, reason: error.reason))
        }
    }

    /// Stores the identity of a member who has signed in, if the member owns tokens.
    ///
    /// Also while the site accepts no tokens: it may accept them again. A failure does not stop the sign-in.
    func updateTokenOwner(_ identity: Identity, _ request: Request) async {
        do throws(StoreError) {
            try await store.tokens.updateOwner(identity)
        } catch {
            log(LogEvent(error, of: request, member: identity.member))
        }
    }
}

extension Tokens {
    /// The tokens of a completed sign-in; `requested` are the scopes for which it asked.
    fileprivate init(_ response: TokenResponse, issued: Date, requested: [String]) {
        self.init(
            accessToken: response.accessToken,
            accessTokenExpires: response.expiresIn.map { issued.addingTimeInterval(Double($0)) },
            refreshToken: response.refreshToken,
            refreshTokenExpires: response.refreshTokenExpiresIn.map { issued.addingTimeInterval(Double($0)) },
            // A provider may grant less, or use other names. Asking again would give the same.
            scopes: requested + response.scopes.filter { !requested.contains($0) },
            issued: issued
        )
    }
}
