import HTTP
import OpenID
package import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    static let sessionCookieName = "session"

    /// The ticket in the session cookie of a request.
    ///
    /// Two different session cookies are both ignored, because an attacker may have planted either of them.
    func ticket(of request: Request) -> Ticket? {
        guard case .one(let value) = request.cookies["__Host-session"] else { return nil }
        return Ticket(cookieValue: value)
    }

    /// The live session of a request.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func session(of request: Request) async throws(StoreError) -> (ticket: Ticket, session: Session)? {
        guard let ticket = ticket(of: request),
            let session = try await sessions.session(for: ticket, now: now())
        else { return nil }
        return (ticket, session)
    }

    /// The `Cookie` field of a request with a session, for programs that are not browsers.
    package static func cookieField(_ ticket: Ticket) -> String {
        "Cookie: __Host-\(sessionCookieName)=\(ticket.cookieValue)"
    }

    /// The session of a request, if guarded locations accept it: with `SIGNIN_REQUIRE_LIVE_TOKEN`, only one with a token.
    ///
    /// Decides without a call to the provider.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func acceptedSession(of request: Request) async throws(StoreError) -> CheckedSession? {
        guard let ticket = ticket(of: request) else { return nil }
        let start = MeasuredReader.now
        do throws(StoreError) {
            let session = try await reader.store.check(ticket, withTokens: requiresLiveToken, now: now())
            reader.count(since: start)
            return accepted(session)
        } catch {
            reader.count(since: start)
            reader.count(error)
            throw error
        }
    }

    /// A session as guarded locations accept it; otherwise nil.
    func accepted(_ session: CheckedSession?) -> CheckedSession? {
        guard let session else { return nil }
        return !requiresLiveToken || session.hasLiveToken(at: now()) ? session : nil
    }

    /// Whether a return path leads a member with this session through sign-in again.
    func needsSignIn(_ session: Session, at returnPath: ReturnPath?) -> Bool {
        let now = now()
        if requiresLiveToken, !CheckedSession(session).hasLiveToken(at: now) { return true }
        guard !session.isNew(at: now), returnPath?.path == mount.path("/profile")[...] else { return false }
        return session.authorizationNeed(for: client.provider.scopes, at: now) != nil
    }

    func sessionCookie(_ ticket: Ticket, of session: Session) -> SetCookie {
        let seconds = session.expires.timeIntervalSince(now())
        return SetCookie(Self.sessionCookieName, value: ticket.cookieValue, maxAge: max(1, Int(seconds)))
    }
}
