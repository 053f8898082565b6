import HTTP
package import Sessions

import struct FoundationEssentials.Date

/// The cookie with the ticket of a session.
package enum SessionCookie {
    private static let name = "session"

    /// The ticket in the session cookie of a request.
    ///
    /// Two different session cookies are both ignored, because an attacker may have planted either of them.
    static func ticket(of request: Request) -> Ticket? {
        guard case .one(let value) = request.cookies["__Host-session"] else { return nil }
        return Ticket(cookieValue: value)
    }

    /// Whether a request has no session cookie.
    static func isMissing(in request: Request) -> Bool {
        request.cookies[SetCookie.prefix + name] == .none
    }

    /// Sets the cookie of a session.
    static func setting(_ ticket: Ticket, of session: Session, now: Date) -> SetCookie {
        let seconds = session.expires.timeIntervalSince(now)
        return SetCookie(name, value: ticket.cookieValue, maxAge: max(1, Int(seconds)))
    }

    static var deletion: SetCookie { .deleting(name) }

    /// The `Cookie` field of a request with a session, for programs that are not browsers.
    package static func field(_ ticket: Ticket) -> String {
        "Cookie: \(SetCookie.prefix)\(name)=\(ticket.cookieValue)"
    }
}
