import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// `/profile`: the profile of a member.
final class ProfilePages: SiteFeature {
    let context: SiteContext
    /// Seconds for which a profile is shown without a call.
    private let freshness: Int

    init(_ context: SiteContext, freshness: Int) {
        (self.context, self.freshness) = (context, freshness)
    }

    /// Answers `GET /profile`: the member's profile with its link, as a page or as JSON.
    func show(_ request: Request) async throws -> Response {
        guard let (ticket, session) = try await session(of: request), let provider = providers.provider(of: session)
        else { return try answers.demandSignIn(request, for: .profile) }
        let need = session.authorizationNeed(for: provider.client.options.scopes, at: now())
        // With another product, what was fetched before may lack the link.
        if need == .scopesMissing { return try signInAgain(session, request) }
        let isFinal = provider.profiles.isUserInfo && provider.client.options.userinfoEndpoint == nil
        if let cached = session.profile, isFinal && cached.wasFetched || cached.isFresh(for: freshness, at: now()) {
            return try show(cached, at: provider, for: request)
        }
        let member = session.identity.member
        do {
            let renewal = ProfileRenewal(context: context, provider: provider, freshness: freshness, request: request)
            guard let profile = try await renewal.session(ticket, tokens: session.tokens)?.profile else {
                return try answers.demandSignIn(request, for: .profile)
            }
            return try show(profile, at: provider, for: request)
        } catch is AuthorizationNeed {
            return try signInAgain(session, request)
        } catch let held as HeldCall {
            log(LogEvent(.warning, .profileHeldBack, of: request, reason: held.reason, member: member))
            return try showWithout(held.kind, session, at: provider, for: request)
        } catch let refusal as ConcurrencyLimit.Refusal {
            log(LogEvent(.warning, .profileRefused, of: request, reason: refusal.rawValue, member: member))
            return try showWithout(refusal.kind, session, at: provider, for: request)
        } catch let error as OpenIDError {
            log(LogEvent(.warning, .profileFailed, of: request, because: error, member: member))
            // The settings may name more scopes than an old session has.
            if error.code == .accessDenied, session.tokens?.scopes == nil { return try signInAgain(session, request) }
            return try showWithout(Problem.Kind(ofProfile: error), session, at: provider, for: request)
        } catch let error as StoreError {
            log(LogEvent(error, of: request, member: member))
            if let held = HeldCall(error, now: now()) { provider.held.add(held, for: session) }
            return try showWithout(.storeUnavailable, session, at: provider, for: request)
        }
    }

    /// The problems after which the same call may succeed later.
    private static let passing: Set<Problem.Kind> = [
        .providerUnavailable, .providerTimedOut, .providerBusy, .providerThrottled, .profileUnavailable,
        .storeUnavailable, .tooManyRequests, .accessPending,
    ]

    /// Shows the profile that was fetched before, even if the provider fails now; without one, the problem.
    private func showWithout(
        _ kind: Problem.Kind,
        _ session: Session,
        at provider: Provider,
        for request: Request
    ) throws -> Response {
        if let cached = session.profile, cached.wasFetched {
            return try show(cached, at: provider, for: request)
        }
        let now = now()
        let held = Self.passing.contains(kind) ? provider.held.hold(for: session, now: now) : nil
        return try answers.naming(provider.id).problem(
            kind,
            activity: .readingProfile,
            retryAfter: held?.remaining(at: now),
            for: request
        )
    }

    private func show(_ cached: CachedProfile, at provider: Provider, for request: Request) throws -> Response {
        let now = now()
        guard !request.prefersJSON else { return try answers.json(.ok, ProfileAnswer.text(of: cached, now: now)) }
        let page = Page.profile(try ProfilePage(cached, source: provider.profiles, now: now))
        return try answers.naming(provider.id).page(page, for: request)
    }

    /// Leads a member whose tokens no longer help through sign-in and back, without an error page.
    ///
    /// If the member just signed in, a page says what is wrong instead, because a redirect could be one of an endless loop.
    private func signInAgain(_ session: Session, _ request: Request) throws -> Response {
        guard !session.isNew(at: now()) || RequestKind(request) != .navigation else {
            return try answers.naming(session.identity.provider).problem(
                .accessEnded,
                returnPath: ReturnPath(mount.path("/profile")),
                for: request
            )
        }
        return try answers.demandSignIn(request, for: .profile)
    }
}
