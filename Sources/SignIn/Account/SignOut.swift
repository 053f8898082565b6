import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings

/// `/logout`: ends sessions.
final class SignOut: SiteFeature {
    let context: SiteContext
    private let forms: KeptFormPaths
    private let home: HomePages
    /// Where signing out leads.
    private let destination: Place

    init(_ context: SiteContext, forms: KeptFormPaths, home: HomePages, leadingTo destination: Place) {
        (self.context, self.forms, self.home, self.destination) = (context, forms, home, destination)
    }

    /// Answers `GET /logout`, which does not end the session.
    ///
    /// A member sees the button that signs out. Other visitors read that only the session here has ended, not the one
    /// at the provider. A session of a provider that the settings no longer have opens nothing: its browser loses the cookie.
    func show(_ request: Request) async throws -> Response {
        let session = try await session(of: request)?.session
        if let session, providers.provider(of: session) != nil { return try await home.page(of: session, request) }
        let query = FormData(parsing: request.query)
        // The session has ended, so only the browser knows its provider.
        let id = LastProvider.id(request.cookies)
        // The page shows the path: a link on a page of another site must not choose the text.
        let page = Page.signedOut(
            returnPath: mount.isFromSameSite(request) ? query.flatMap(mount.destination)?.text : nil,
            everywhere: LastEnding(request.cookies) == .sessions,
            signOutPage: providers.named(id).client.signOutURL.flatMap(ExternalLink.init)
        )
        var response = try answers.naming(id).page(page, for: request)
        if session != nil { try response.set([SessionCookie.deletion]) }
        return response
    }

    /// Answers `POST /logout`: ends the session and deletes its cookie.
    ///
    /// The member stays signed in at the provider. With `return_to`, the answer leads to the page where another account
    /// can sign in for that address. With `everywhere`, all sessions of the member end.
    func end(_ request: Request) async throws -> Response {
        let form = FormData(body: request.body)
        if case .one = form?["everywhere"] { return try await endEverywhere(form, request) }
        // Only the log and the provider need the session: a failing store must not prevent signing out.
        var (session, wasSignedIn): (Session?, Bool) = (nil, true)
        do throws(StoreError) {
            session = try await self.session(of: request)?.session
            wasSignedIn = session != nil
        } catch {}
        var reason: String?
        if let ticket = SessionCookie.ticket(of: request) {
            do {
                try await store.sessions.remove(ticket)
            } catch {
                // The cookie is deleted anyway; the session ends at its time limit.
                reason = error.reason
            }
        }
        // Otherwise any client could fill the log with sign-outs of nobody.
        let level = reason != nil ? LogLevel.error : wasSignedIn ? .info : .debug
        let (member, fields) = (session?.identity.member, emailField(of: session?.identity))
        log(LogEvent(level, .signedOut, of: request, reason: reason, member: member, fields: fields))
        // After the session has ended durably, so that no live session has revoked tokens.
        if reason == nil, let session { providers.revokeTokens(of: session, for: request) }
        let wanted = form.flatMap(mount.destination)
        let response =
            if reason == nil {
                try answers.redirect(to: placeAfterSignOut(wanted))
            } else {
                try answers.problem(.signOutUnfinished, for: request)
            }
        // A member who signs out to send a kept form with another account keeps that form.
        let cookies = forms.cookies(of: request)
        let kept = cookies.labels.first { wanted == forms.path($0) }
        return try response.signedOut(request, cookies.endings(butOf: kept))
    }

    /// Ends all sessions of a member, in all browsers.
    private func endEverywhere(_ form: FormData?, _ request: Request) async throws -> Response {
        let ended: (session: Session, count: Int?)?
        do throws(StoreError) {
            ended = try await endAllSessions(form, request)
        } catch {
            // The cookie stays: if the session does too, the member can try again.
            log(LogEvent(error, of: request))
            return try answers.problem(.sessionsRemain, for: request)
        }
        guard let (session, count) = ended else { return try answers.problem(.changeNeedsSignIn, for: request) }
        guard let count else { return try answers.problem(.accountChanged, for: request) }
        let fields = emailField(of: session.identity) + [("sessions", String(count))]
        log(LogEvent(.info, .signedOut, of: request, member: session.identity.member, fields: fields))
        providers.revokeTokens(of: session, sealed: count - 1, for: request)
        return try answers.redirect(to: destination.text)
            .signedOut(request, forms.cookies(of: request).endings(), after: .sessions)
    }

    /// Ends the sessions of the member who sends a request, but ends none if the page named another member; nil without a
    /// session, because then the member is not known.
    private func endAllSessions(
        _ form: FormData?,
        _ request: Request
    ) async throws(StoreError) -> (session: Session, count: Int?)? {
        guard let session = try await sessionToEnd(of: request) else { return nil }
        guard !isOfOtherMember(form, than: session) else { return (session, nil) }
        return (session, try await store.sessions.remove(.all(of: session.identity.member)))
    }

    private func placeAfterSignOut(_ wanted: ReturnPath?) -> String {
        guard let wanted else { return destination.text }
        return Place.ownSignedOut(mount).text + "?" + FormData(["return_to": wanted.text]).encoded
    }
}

extension Response {
    /// Adds the field that removes the pages of the former member from the caches of the browser: *Back* must not show these
    /// pages to the next member.
    ///
    /// Cookies are deleted one by one, because the cookies of the application must stay.
    mutating func clearCache() throws(InvalidHeaderValue) {
        try headers.append(.clearSiteData, "\"cache\"")
    }

    /// The response with the fields that remove a session from a browser; `forms` are the cookies that end kept forms, and
    /// `ending` is what the next page reports, other than a sign-out.
    func signedOut(_ request: Request, _ forms: [SetCookie], after ending: LastEnding? = nil) throws -> Response {
        var response = self
        try response.clearCache()
        // Signing out resets the count that detects sign-in loops.
        let others = request.cookies.deletions(RecentSignIns.cookieName, TokenPages.newTokenCookieName)
        let endings = ending.map { [$0.cookie] } ?? request.cookies.deletions(LastEnding.cookieName)
        try response.set([SessionCookie.deletion] + others + endings + forms)
        return response
    }
}
