import EventLog
import HTTP
import OpenID
import Provider
import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// One request that needs the profile of a session from its provider.
struct ProfileRenewal: SiteFeature {
    let context: SiteContext
    let provider: Provider
    /// Seconds for which a profile is shown without a call.
    let freshness: Int
    let request: Request

    /// Fetches the profile of a session again, with a new access token if necessary; nil if the session has ended.
    ///
    /// New tokens are stored before they are used, because the refresh may have ended the old ones.
    ///
    /// - Throws: `AuthorizationNeed` if the member must sign in again, `HeldCall` if calls are held back,
    ///   `ConcurrencyLimit.Refusal` if no call was free, `OpenIDError` if a call failed, `StoreError` if the store failed.
    func session(_ ticket: Ticket, tokens: Tokens?) async throws -> Session? {
        if let tokens, tokens.accessHasEnded(at: now()), tokens.canBeRenewed(at: now()) {
            try await renewTokens(of: ticket, insteadOf: nil)
        }
        do {
            return try await renewProfile(of: ticket)
        } catch let refused as AccessTokenRefused {
            try await renewTokens(of: ticket, insteadOf: refused.accessToken)
        }
        do {
            return try await renewProfile(of: ticket)
        } catch is AccessTokenRefused {
            throw OpenIDError(.accessTokenRefused)
        }
    }

    /// The provider refused an access token that can be renewed.
    private struct AccessTokenRefused: Error {
        let accessToken: String
    }

    /// Renews the tokens of a session; only the first of several requests does.
    ///
    /// Removes the tokens if the provider refuses to renew them, or if the new ones are not proven to be the member's.
    ///
    /// `refused` is an access token that the provider refused; if it is nil, the token is renewed because it has ended or
    /// ends within minutes. In these minutes the token stays in use if the provider fails.
    private func renewTokens(of ticket: Ticket, insteadOf refused: String?) async throws {
        let renewal = Mutex<(tokens: Tokens, member: Member)?>(nil)
        let stored = try await store.sessions.update(ticket, now: now()) { session in
            let (asked, member) = (now(), session.identity.member)
            guard let tokens = session.tokens, let refreshToken = tokens.refreshToken,
                refused.map({ $0 == tokens.accessToken }) ?? tokens.accessHasEnded(at: asked)
            else { return }
            let isUsable = refused == nil && tokens.accessTokenExpires.map { asked < $0 } ?? false
            do {
                let current = session
                let response = try await call(for: session, holdsBack: !isUsable) {
                    () throws(OpenIDError) in
                    try await refresh(refreshToken, of: current)
                }
                let renewed = tokens.renewed(with: response, at: asked)
                session.tokens = renewed
                renewal.withLock { $0 = (renewed, member) }
            } catch let error as OpenIDError where [.refreshRefused, .refreshForeign].contains(error.code) {
                removeTokens(from: &session, because: error)
            } catch let error as OpenIDError where isUsable || error.code.isUnusableRenewal {
                log(LogEvent(.warning, .tokensNotRenewed, of: request, because: error, member: member))
                if !isUsable { throw AuthorizationNeed.tokenEnded }
            }
        }
        guard let (tokens, member) = renewal.withLock({ $0 }) else { return }
        guard stored != nil else {
            // The session ended during the call, so its sign-out did not know these tokens.
            return provider.revocations.revoke(tokens, of: member, for: request)
        }
        log(LogEvent(.info, .tokensRenewed, of: request, member: member))
    }

    /// Exchanges a refresh token for tokens of the same member.
    ///
    /// An ID token proves whose they are. Without one, the profile will: its answer names the subject, or the same
    /// identifier as an earlier answer for this session.
    ///
    /// - Throws: `OpenIDError` with the code `refreshForeign` if the tokens are of another member, or nothing proves whose
    ///   they are.
    private func refresh(_ token: String, of session: Session) async throws(OpenIDError) -> TokenResponse {
        // Before the refresh, which may end the old tokens: without keys, the new ones could not be used.
        try await provider.client.requireKeys()
        let (response, member) = (try await provider.client.refresh(refreshToken: token), session.identity)
        let isProven = try await provider.client.verify(
            refreshed: response,
            issuer: member.issuer,
            subject: member.subject
        )
        guard isProven || provider.profiles.namesSubject || session.endpointID != nil else {
            throw OpenIDError(.refreshForeign, detail: "no ID token shows whose tokens they are")
        }
        return response
    }

    /// Fetches the profile of a session, unless another request did while this one waited for the session.
    private func renewProfile(of ticket: Ticket) async throws -> Session? {
        let renewed = try await store.sessions.update(ticket, now: now()) { session in
            if let cached = session.profile, isFresh(cached) { return }
            let asked = now()
            if let need = session.authorizationNeed(for: provider.client.options.scopes, at: asked) { throw need }
            guard let tokens = session.tokens else { throw AuthorizationNeed.tokenMissing }
            do {
                session.profile = try await fetchProfile(with: tokens, of: session)
            } catch let error as OpenIDError where error.code == .accessTokenRefused && !session.hasNewToken(at: asked)
            {
                guard !tokens.canBeRenewed(at: asked) else { throw AccessTokenRefused(accessToken: tokens.accessToken) }
                removeTokens(from: &session, because: error)
            } catch let error as OpenIDError where error.code == .subjectMismatch {
                removeTokens(from: &session, because: error)
            }
        }
        if let renewed, renewed.tokens == nil, renewed.profile.map(isFresh) != true {
            throw AuthorizationNeed.tokenMissing
        }
        return renewed
    }

    private func isFresh(_ profile: CachedProfile) -> Bool { profile.isFresh(for: freshness, at: now()) }

    private func fetchProfile(with tokens: Tokens, of session: Session) async throws -> CachedProfile {
        let (now, identity) = (now(), session.identity)
        return try await call(for: session) { () throws(OpenIDError) in
            let asked = ProfileCall(
                client: provider.client,
                accessToken: tokens.accessToken,
                identity: identity,
                knownID: session.endpointID,
                patience: session.hasNewToken(at: now) ? .short : .none,
                log: log
            )
            let profile = try await provider.profiles.fetch(asked)
            return try CachedProfile(profile, fetched: now)
        }
    }

    /// Removes tokens that the provider no longer accepts, or that are another member's; the session stays, with all it
    /// knows of its member.
    private func removeTokens(from session: inout Session, because error: OpenIDError) {
        session.tokens = nil
        let level = [.refreshForeign, .subjectMismatch].contains(error.code) ? LogLevel.warning : .info
        log(LogEvent(level, .tokensRemoved, of: request, because: error, member: session.identity.member))
    }

    /// Calls the provider, unless a recent failure is still being held back.
    ///
    /// If `holdsBack` is false, a failure of this call holds back no other call.
    private func call<Answer>(
        for session: Session,
        holdsBack: Bool = true,
        _ call: () async throws(OpenIDError) -> Answer
    ) async throws -> Answer {
        if let held = provider.held.hold(for: session, now: now()) {
            if held.isUnusableRenewal { throw AuthorizationNeed.tokenEnded }
            throw held
        }
        do {
            return try await provider.calls.run(for: request.client, call)
        } catch let error as OpenIDError {
            if holdsBack, let held = HeldCall(error, isNewToken: session.hasNewToken(at: now()), now: now()) {
                provider.held.add(held, for: session)
            }
            throw error
        }
    }
}

extension Tokens {
    /// The tokens after a refresh, which was sent at `now`; what the answer omits stays (RFC 6749 §6).
    fileprivate func renewed(with response: TokenResponse, at now: Date) -> Tokens {
        let isRotated = response.refreshToken != nil && response.refreshToken != refreshToken
        return Tokens(
            accessToken: response.accessToken,
            accessTokenExpires: response.expiresIn.map { now.addingTimeInterval(Double($0)) },
            refreshToken: response.refreshToken ?? refreshToken,
            refreshTokenExpires: response.refreshTokenExpiresIn.map { now.addingTimeInterval(Double($0)) }
                ?? (isRotated ? nil : refreshTokenExpires),
            scopes: scopes ?? [],
            issued: now
        )
    }
}

extension Session {
    /// The member's identifier at the profile endpoint, from the last answer for this session.
    fileprivate var endpointID: String? { profile.flatMap { try? $0.profile() }?.endpointID }
}
