import EventLog
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// `POST /logout`: ends the session here and takes its cookie away; at the provider the member stays signed in.
    ///
    /// With `return_to`, it leads to the page from which another account can sign in for that address.
    func signOut(_ request: Request) async throws -> Response {
        guard isFromThisSite(request) else {
            log(LogEvent(.warning, "sign-out-refused", of: request, reason: "cross-site"))
            return try problem(.crossSite, for: request)
        }
        // Who it was is for the log alone: a store that cannot tell keeps nobody signed in.
        let subject = try? await session(of: request)?.session.identity.subject
        var reason: String?
        if let ticket = ticket(of: request) {
            do {
                try await sessions.remove(ticket)
            } catch {
                // The cookie goes all the same; the session ends by itself.
                reason = error.reason
            }
        }
        let level = reason == nil ? LogLevel.info : .error
        log(LogEvent(level, "signed-out", of: request, reason: reason, subject: subject))
        let wanted = FormData(parsing: String(decoding: request.body, as: UTF8.self)).flatMap(destination)
        var response =
            if reason == nil {
                try redirect(to: placeAfterSignOut(wanted))
            } else {
                try problem(.signOutUnfinished, for: request)
            }
        // Whoever uses the computer next shall not go back to what the member saw. Cookies go one by one, below: the
        // application's own are not ours to take.
        try response.headers.append(.clearSiteData, "\"cache\"")
        try response.headers.append(.setCookie, SetCookie.deleting(Self.sessionCookieName).headerValue)
        // Whoever signs out does not go round in a circle.
        if request.cookies["__Host-" + RecentSignIns.cookieName] != .none {
            try response.headers.append(.setCookie, SetCookie.deleting(RecentSignIns.cookieName).headerValue)
        }
        // A member who goes on with another account for a form that was kept still has it.
        let cookies = resumeCookies(of: request)
        let kept = cookies.labels.first { wanted == resumePath($0) }
        for cookie in cookies.endings(butOf: kept) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    private func placeAfterSignOut(_ wanted: ReturnPath?) -> String {
        guard let wanted else { return afterSignOut.text }
        return Place.ownSignedOut(mount).text + "?" + FormData(["return_to": wanted.text]).encoded
    }

    /// Whether the browser, which a page cannot make lie about this, says that a page of ours sent the request.
    ///
    /// `Sec-Fetch-Site` tells, and `Origin` in browsers that do not send it, such as Safari before 16.4; it is `null` on
    /// pages that forbid referrers, as a hostile one can. A client that sends neither is no browser, and what is no browser
    /// has no other site's pages in it. `none` is a person's own doing, a reload say, which no page can cause.
    private func isFromThisSite(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == mount.origin
    }
}
