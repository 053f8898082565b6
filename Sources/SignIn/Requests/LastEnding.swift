import HTTP

/// What a member has just ended, which a cookie remembers for the page that reports it.
///
/// The address of the page does not say it, because anyone can write a link. The cookie is not sealed: no other site can set
/// it, and another value changes only the text of the page.
enum LastEnding: Equatable {
    /// All sessions of the member.
    case sessions
    /// Everything that was stored about the member, with this number of sessions and personal tokens.
    case data(sessions: Int, tokens: Int)

    /// The next sign-in or sign-out deletes the cookie, because it may make the report wrong.
    static let cookieName = "ended"
    /// Seconds in which a reload, or a change of the language, shows the page again.
    private static let lifetime = 600
    private static let allSessions = "sessions"

    init?(_ cookies: Cookies) {
        guard case .one(let text) = cookies[SetCookie.prefix + Self.cookieName] else { return nil }
        guard text != Self.allSessions else {
            self = .sessions
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let sessions = Int(parts[0]), let tokens = Int(parts[1]) else { return nil }
        self = .data(sessions: sessions, tokens: tokens)
    }

    var cookie: SetCookie {
        let value =
            switch self {
            case .sessions: Self.allSessions
            case .data(let sessions, let tokens): "\(sessions)-\(tokens)"
            }
        return SetCookie(Self.cookieName, value: value, maxAge: Self.lifetime)
    }
}
