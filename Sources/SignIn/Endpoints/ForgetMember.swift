import EventLog
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers `GET /forget`: asks a member whether to delete everything that is stored about them.
    func askToForget(_ request: Request) async throws -> Response {
        if let session = try await session(of: request)?.session {
            return try page(.forget(SignedInMember(session, now: now())), for: request)
        }
        guard RequestKind(request) == .navigation else { return try signInNeeded(request) }
        let query = FormData(["return_to": mount.path("/forget")]).encoded
        return try redirect(to: mount.path("/login") + "?" + query)
    }

    /// Answers `POST /forget`: ends all sessions of the member, in all browsers, and deletes the cookies of this one.
    func forgetMember(_ request: Request) async throws -> Response {
        guard isFromThisSite(request) else {
            log(LogEvent(.warning, "deletion-refused", of: request, reason: "cross-site"))
            return try problem(.deletionRefused, for: request)
        }
        guard let session = try await session(of: request)?.session else {
            let isNavigation = RequestKind(request) == .navigation
            return try isNavigation ? problem(.signInNeeded, for: request) : signInNeeded(request)
        }
        let subject = session.identity.subject
        var (count, tokens) = (0, 0)
        do throws(StoreError) {
            let identities = acceptedIdentities(of: session.identity)
            // First: while a session exists, the member can try again.
            tokens = try await revokeTokens(of: identities)
            for identity in identities { count += try await sessions.removeAll(of: identity) }
            // Another browser may have made a token meanwhile, with a session that has ended now.
            tokens += try await revokeTokens(of: identities)
        } catch {
            // Keeps the cookie: if the session still exists, the member can try again.
            log(LogEvent(error, of: request, subject: subject))
            return try problem(.deletionUnfinished, for: request)
        }
        await discardKeptForms(of: request)
        let fields = [("sessions", String(count)), ("tokens", String(tokens))] as [LogEvent.Field]
        log(LogEvent(.info, "data-deleted", of: request, subject: subject, fields: fields))
        revoke(session.tokens, of: subject, sealed: count - 1, for: request)
        return try page(.forgotten(sessions: count), for: request).signedOut(
            request,
            keptFormCookies(of: request).endings()
        )
    }

    private func revokeTokens(of identities: [Identity]) async throws(StoreError) -> Int {
        guard let personalTokens else { return 0 }
        var count = 0
        for identity in identities { count += try await personalTokens.store.revokeAllTokens(of: identity) }
        return count
    }

    /// Removes the forms that this browser's cookies open; forms of other browsers have no owner and expire.
    private func discardKeptForms(of request: Request) async {
        guard let keptForms else { return }
        let cookies = keptFormCookies(of: request)
        for label in cookies.labels {
            guard case .kept(let ticket) = cookies.find(label),
                let taken = try? await keptForms.store.take(ticket, now: now())
            else { continue }
            await keptForms.store.discard(taken)
        }
    }
}
