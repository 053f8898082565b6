import HTTP
package import Sessions

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

    func sessionCookie(_ ticket: Ticket, of session: Session) -> SetCookie {
        let seconds = session.expires.timeIntervalSince(now())
        return SetCookie(Self.sessionCookieName, value: ticket.cookieValue, maxAge: max(1, Int(seconds)))
    }
}
