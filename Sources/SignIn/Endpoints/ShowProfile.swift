import HTTP
import OpenID
import Sessions

import struct Foundation.Date

extension Site {
    /// `GET /profile`: the member's profile with its link, as a page or as JSON.
    func showProfile(_ request: Request) async throws -> Response {
        guard let (ticket, session) = try await session(of: request) else { return try signInFirst(request) }
        if let cached = session.profile, isFresh(cached) {
            return try show(cached, of: session, for: request)
        }
        do {
            if hasEnded(session.tokens) {
                // Stored by itself: should the profile fail, the old refresh token may be spent already.
                _ = try await sessions.update(ticket, now: now()) { session in
                    try await renewTokens(of: &session)
                }
            }
            let updated = try await sessions.update(ticket, now: now()) { session in
                try await renewProfile(of: &session)
            }
            guard let updated, let profile = updated.profile else { return try signInFirst(request) }
            return try show(profile, of: updated, for: request)
        } catch let error as OpenIDError {
            let fields: [LogEvent.Field] = [("detail", error.detail)]
            log(LogEvent(.warning, "profile-failed", request: request.id, reason: error.code.rawValue, fields: fields))
            // A throttled or failing provider costs nobody what was known before.
            if let cached = session.profile, error.code != .accessTokenRefused {
                return try show(cached, of: session, for: request)
            }
            return try problem(Problem.Kind(error), activity: .readingProfile, for: request)
        }
    }

    /// Renews the access token, unless somebody else did while this request waited for the session.
    private func renewTokens(of session: inout Session) async throws {
        guard hasEnded(session.tokens), let refreshToken = session.tokens?.refreshToken else { return }
        let now = now()
        let response = try await client.refresh(refreshToken: refreshToken)
        session.tokens = Tokens(response, issued: now, refreshToken: refreshToken)
    }

    /// Asks the provider, unless somebody else did while this request waited for the session.
    private func renewProfile(of session: inout Session) async throws {
        if let cached = session.profile, isFresh(cached) { return }
        guard let tokens = session.tokens else { throw OpenIDError(.accessTokenRefused) }
        let now = now()
        let profile = try await profileSource.fetch(
            client: client,
            accessToken: tokens.accessToken,
            identity: session.identity,
            justIssued: now.timeIntervalSince(session.created) < 60
        )
        session.profile = try CachedProfile(profile, fetched: now)
    }

    /// Whether the access token is over and can be renewed.
    private func hasEnded(_ tokens: Tokens?) -> Bool {
        guard let tokens, tokens.refreshToken != nil, let expires = tokens.accessTokenExpires else { return false }
        return expires <= now()
    }

    private func isFresh(_ profile: CachedProfile) -> Bool {
        let age = now().timeIntervalSince(profile.fetched)
        return age >= 0 && age < Double(profileCache)
    }

    private func show(_ cached: CachedProfile, of session: Session, for request: Request) throws -> Response {
        guard !request.prefersJSON else { return try json(.ok, cached.content) }
        return try page(.profile(try ProfilePage(cached, source: profileSource, now: now())), for: request)
    }

    private func signInFirst(_ request: Request) throws -> Response {
        guard RequestKind(request) == .navigation else { return try signInNeeded() }
        let query = FormData(["return_to": mount.path("/profile")]).encoded
        return try redirect(to: mount.path("/login") + "?" + query)
    }
}
