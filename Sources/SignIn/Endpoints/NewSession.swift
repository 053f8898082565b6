import OpenID
import Sessions

import struct FoundationEssentials.Date

extension Site {
    /// The session that a token response opens: who it is about and until when.
    func newSession(
        _ response: TokenResponse,
        issued: Date,
        nonce: String?
    ) async throws(OpenIDError) -> Session {
        let now = now()
        let tokens = Tokens(response, issued: issued)
        let issuer = client.provider.issuers.first ?? ""
        guard client.provider.issuesIDToken else {
            // Plain OAuth says nothing of who signed in; the first profile does.
            let profile = try await firstProfile(tokens)
            let identity = Identity(issuer: issuer, subject: profile.subject, name: profile.name, email: profile.email)
            return Session(
                identity: identity,
                created: now,
                expires: end(of: tokens, from: now),
                tokens: tokens,
                profile: try CachedProfile(profile, fetched: now)
            )
        }
        guard let idToken = response.idToken else { throw OpenIDError(.idTokenMissing) }
        let token = try await client.verify(
            idToken: idToken,
            accessToken: response.accessToken,
            nonce: nonce
        )
        let identity = Identity(
            issuer: token.issuer,
            subject: token.member.subject,
            name: token.member.name,
            email: token.member.email,
            emailVerified: token.member.emailVerified
        )
        return Session(
            identity: identity,
            created: now,
            expires: end(of: tokens, from: now),
            tokens: tokens,
            profile: CachedProfile(token.member, identity: identity)
        )
    }

    /// Asks who has signed in, unless the application may ask nothing at present.
    private func firstProfile(_ tokens: Tokens) async throws(OpenIDError) -> Profile {
        if let held = heldCalls.hold(for: nil, now: now()) {
            throw OpenIDError(.throttled, detail: "held back for \(held.remaining(at: now())) seconds")
        }
        do {
            return try await profileSource.fetch(
                client: client,
                accessToken: tokens.accessToken,
                identity: nil,
                patience: .long,
                log: log
            )
        } catch {
            if let held = HeldCall(error, isNewToken: true, now: now()) { heldCalls.add(held, for: nil) }
            throw error
        }
    }

    /// The absolute end: no session outlives an access token that nothing renews.
    private func end(of tokens: Tokens, from now: Date) -> Date {
        let longest = now.addingTimeInterval(Double(sessionLifetime))
        guard tokens.refreshToken == nil, let tokenEnd = tokens.accessTokenExpires else { return longest }
        return min(longest, tokenEnd)
    }
}

extension Tokens {
    init(_ response: TokenResponse, issued: Date, refreshToken earlier: String? = nil) {
        self.init(
            accessToken: response.accessToken,
            accessTokenExpires: response.expiresIn.map { issued.addingTimeInterval(Double($0)) },
            // A provider that does not rotate sends none with the answer to a refresh (RFC 6749 §6).
            refreshToken: response.refreshToken ?? earlier
        )
    }
}
