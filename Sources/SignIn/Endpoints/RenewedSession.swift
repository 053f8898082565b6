import HTTP
import OpenID
import Sessions

import struct FoundationEssentials.Date

extension Site {
    /// Fetches the profile of a session again, with a new access token if necessary; nil if the session has ended.
    ///
    /// - Throws: `HeldCall` if calls are held back, `ProviderCalls.Refusal` if no call was free, `OpenIDError` if a
    ///   call failed, `StoreError` if the store failed.
    func renewedSession(_ ticket: Ticket, tokens: Tokens?, for sender: ClientAddress) async throws -> Session? {
        if hasEnded(tokens) {
            // Stored before the profile is fetched: if that fails, the old refresh token may already be invalid.
            _ = try await sessions.update(ticket, now: now()) { session in
                try await renewTokens(of: &session, for: sender)
            }
        }
        return try await sessions.update(ticket, now: now()) { session in
            try await renewProfile(of: &session, for: sender)
        }
    }

    /// Renews the access token, unless another request did while this one waited for the session.
    private func renewTokens(of session: inout Session, for sender: ClientAddress) async throws {
        guard hasEnded(session.tokens), let refreshToken = session.tokens?.refreshToken else { return }
        let now = now()
        let response = try await call(for: session, of: sender) { () throws(OpenIDError) in
            try await client.refresh(refreshToken: refreshToken)
        }
        session.tokens = Tokens(response, issued: now, refreshToken: refreshToken)
    }

    /// Fetches the profile, unless another request did while this one waited for the session.
    private func renewProfile(of session: inout Session, for sender: ClientAddress) async throws {
        if let cached = session.profile, isFresh(cached) { return }
        guard let tokens = session.tokens else { throw OpenIDError(.accessTokenRefused) }
        let (now, identity) = (now(), session.identity)
        let justIssued = hasNewToken(session)
        session.profile = try await call(for: session, of: sender) { () throws(OpenIDError) in
            let profile = try await profileSource.fetch(
                client: client,
                accessToken: tokens.accessToken,
                identity: identity,
                patience: justIssued ? .short : .none,
                log: log
            )
            return try CachedProfile(profile, fetched: now)
        }
    }

    /// Calls the provider, unless a recent failure is still being held back.
    private func call<Answer>(
        for session: Session,
        of sender: ClientAddress,
        _ call: () async throws(OpenIDError) -> Answer
    ) async throws -> Answer {
        if let held = heldCalls.hold(for: session, now: now()) { throw held }
        do {
            return try await providerCalls.run(for: sender, call)
        } catch let error as OpenIDError {
            if let held = HeldCall(error, isNewToken: hasNewToken(session), now: now()) {
                heldCalls.add(held, for: session)
            }
            throw error
        }
    }

    private func hasNewToken(_ session: Session) -> Bool {
        now().timeIntervalSince(session.created) < 60
    }

    /// Whether the access token has expired and can be renewed.
    private func hasEnded(_ tokens: Tokens?) -> Bool {
        guard let tokens, tokens.refreshToken != nil, let expires = tokens.accessTokenExpires else { return false }
        return expires <= now()
    }
}
