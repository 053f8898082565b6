import EventLog
import HTTP
import OpenID
import Sessions

import struct FoundationEssentials.Date

extension Site {
    /// Creates a session from the token response of a sign-in: verifies the identity and sets the absolute end.
    func newSession(
        _ response: TokenResponse,
        issued: Date,
        for pending: PendingSignIn
    ) async throws(OpenIDError) -> Session {
        let now = now()
        // The session does not end with its tokens, which the provider can revoke at any time anyway.
        let end = now.addingTimeInterval(Double(sessionLifetime))
        let tokens = Tokens(response, issued: issued, requested: pending.scopes)
        let issuer = client.options.issuers.first ?? ""
        guard client.options.issuesIDToken else {
            // Plain OAuth does not identify the member; the first profile does.
            let profile = try await firstProfile(tokens)
            let identity = Identity(
                provider: .linkedIn,
                issuer: issuer,
                subject: profile.subject,
                name: profile.name,
                email: profile.email
            )
            return Session(
                identity: identity,
                created: now,
                expires: end,
                tokens: tokens,
                profile: try CachedProfile(profile, fetched: now)
            )
        }
        guard let idToken = response.idToken else { throw OpenIDError(.idTokenMissing) }
        let token = try await client.verify(
            idToken: idToken,
            accessToken: response.accessToken,
            nonce: pending.attempt.nonce
        )
        let identity = Identity(
            provider: .linkedIn,
            issuer: token.issuer,
            subject: token.member.subject,
            name: token.member.name,
            email: token.member.email,
            emailVerified: token.member.emailVerified
        )
        return Session(
            identity: identity,
            created: now,
            expires: end,
            tokens: tokens,
            profile: CachedProfile(token.member, identity: identity)
        )
    }

    /// Fetches the profile that identifies the member, unless calls of the application are held back.
    func firstProfile(_ tokens: Tokens) async throws(OpenIDError) -> Profile {
        try await unlessHeld { () async throws(OpenIDError) in
            try await profileSource.fetch(
                client: client,
                accessToken: tokens.accessToken,
                identity: nil,
                patience: .long,
                log: log
            )
        }
    }

    /// Makes a call for a member who has no session yet, unless calls of the application are held back.
    func unlessHeld<Answer>(_ call: () async throws(OpenIDError) -> Answer) async throws(OpenIDError) -> Answer {
        if let held = heldCalls.hold(for: nil, now: now()) {
            let wait = held.remaining(at: now())
            let throttle = Throttle(limit: .application, retryAfter: wait)
            throw OpenIDError(.throttled, detail: "held back for \(wait) seconds", throttle: throttle)
        }
        do {
            return try await call()
        } catch {
            if let held = HeldCall(error, isNewToken: true, now: now()) { heldCalls.add(held, for: nil) }
            throw error
        }
    }

    /// Stores the identity of a member who has signed in, if the member owns tokens.
    ///
    /// Also while the site accepts no tokens: it may accept them again. A failure does not stop the sign-in.
    func updateTokenOwner(_ identity: Identity, _ request: Request) async {
        guard let personalTokens else { return }
        do throws(StoreError) {
            try await personalTokens.store.updateOwner(identity)
        } catch {
            log(LogEvent(error, of: request, subject: identity.subject))
        }
    }
}
