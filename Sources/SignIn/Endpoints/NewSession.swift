import OpenID
import Sessions

import struct FoundationEssentials.Date

extension Site {
    /// Creates a session from a token response: verifies the identity and sets the absolute end.
    func newSession(
        _ response: TokenResponse,
        issued: Date,
        nonce: String?
    ) async throws(OpenIDError) -> Session {
        let now = now()
        let tokens = Tokens(response, issued: issued)
        let issuer = client.provider.issuers.first ?? ""
        guard client.provider.issuesIDToken else {
            // Plain OAuth does not identify the member; the first profile does.
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
            throw OpenIDError(.throttled, detail: "held back for \(held.remaining(at: now())) seconds")
        }
        do {
            return try await call()
        } catch {
            if let held = HeldCall(error, isNewToken: true, now: now()) { heldCalls.add(held, for: nil) }
            throw error
        }
    }

    /// The absolute end of a session; without a refresh token, a session ends with its access token.
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
            // A provider that does not rotate refresh tokens sends none when it refreshes (RFC 6749 §6).
            refreshToken: response.refreshToken ?? earlier
        )
    }
}
