import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// Answers `GET /profile`: the member's profile with its link, as a page or as JSON.
    func showProfile(_ request: Request) async throws -> Response {
        guard let (ticket, session) = try await session(of: request) else {
            return try answers.demandSignIn(request, for: .profile)
        }
        let need = session.authorizationNeed(for: client.options.scopes, at: now())
        // With another product, what was fetched before may lack the link.
        if need == .scopesMissing { return try signInAgain(session, request) }
        if let cached = session.profile, isFresh(cached) {
            return try show(cached, of: session, for: request)
        }
        let subject = session.identity.subject
        do {
            let renewed = try await renewedSession(ticket, tokens: session.tokens, request: request)
            guard let renewed, let profile = renewed.profile else {
                return try answers.demandSignIn(request, for: .profile)
            }
            return try show(profile, of: renewed, for: request)
        } catch is AuthorizationNeed {
            return try signInAgain(session, request)
        } catch let held as HeldCall {
            log(LogEvent(.info, .profileHeldBack, of: request, reason: held.reason, subject: subject))
            return try showWithout(held.kind, session, for: request)
        } catch let refusal as ProviderCalls.Refusal {
            log(LogEvent(.warning, .profileRefused, of: request, reason: refusal.reason, subject: subject))
            return try showWithout(refusal.kind, session, for: request)
        } catch let error as OpenIDError {
            let fields: [LogEvent.Field] = [("detail", error.logDetail)]
            let reason = error.code.rawValue
            log(LogEvent(.warning, .profileFailed, of: request, reason: reason, subject: subject, fields: fields))
            // The settings may name more scopes than an old session has.
            if error.code == .accessDenied, session.tokens?.scopes == nil { return try signInAgain(session, request) }
            let kind = error.code == .accessTokenRefused ? Problem.Kind.accessPending : Problem.Kind(error)
            return try showWithout(kind, session, for: request)
        } catch let error as StoreError {
            log(LogEvent(error, of: request, subject: subject))
            if let held = HeldCall(error, now: now()) { heldCalls.add(held, for: session) }
            return try showWithout(.storeUnavailable, session, for: request)
        }
    }

    /// Shows the profile that was fetched before, even if the provider fails now; without one, the problem.
    private func showWithout(_ kind: Problem.Kind, _ session: Session, for request: Request) throws -> Response {
        if let cached = session.profile, cached.wasFetched {
            return try show(cached, of: session, for: request)
        }
        let now = now()
        let held = kind.passes ? heldCalls.hold(for: session, now: now) : nil
        return try answers.problem(kind, activity: .readingProfile, retryAfter: held?.remaining(at: now), for: request)
    }

    func isFresh(_ profile: CachedProfile) -> Bool {
        let age = now().timeIntervalSince(profile.fetched)
        return age >= 0 && age < Double(profileCache)
    }

    private func show(_ cached: CachedProfile, of session: Session, for request: Request) throws -> Response {
        let now = now()
        guard !request.prefersJSON else { return try answers.json(.ok, encoding: ProfileAnswer(cached, now: now)) }
        return try answers.page(.profile(try ProfilePage(cached, source: profileSource, now: now)), for: request)
    }

    /// Leads a member whose tokens no longer help through sign-in and back, without an error page.
    ///
    /// If the member just signed in, a page says what is wrong instead, because a redirect could be one of an endless loop.
    private func signInAgain(_ session: Session, _ request: Request) throws -> Response {
        guard !session.isNew(at: now()) || RequestKind(request) != .navigation else {
            return try answers.problem(.accessEnded, returnPath: ReturnPath(mount.path("/profile")), for: request)
        }
        return try answers.demandSignIn(request, for: .profile)
    }
}
