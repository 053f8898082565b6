import EventLog
import Guard
import HTTP
import Pages
import Sessions
import Settings

import class FoundationEssentials.JSONEncoder

/// Makes the responses of the site: pages in the visitor's language, JSON, redirects and problems.
struct Answers: Sendable {
    /// The cookie with the language that the visitor chose.
    private static let languageCookieName = "language"
    /// Seconds.
    private static let languageLifetime = 365 * 86_400

    private let mount: Mount
    let pages: PageRenderer
    /// Where a sign-in without a return path leads.
    private let home: Place
    /// Whether `/login` shows a page where the visitor chooses a provider.
    private let offersChoice: Bool
    private let log: Log
    /// The provider that pages name; nil for the first one.
    private var provider: ProviderID?

    init(_ pages: PageRenderer, mount: Mount, home: Place, offersChoice: Bool, log: Log) {
        (self.pages, self.mount, self.home, self.offersChoice, self.log) = (pages, mount, home, offersChoice, log)
    }

    /// The same, with pages that name a provider, such as that of the member.
    func naming(_ provider: ProviderID?) -> Answers {
        var answers = self
        answers.provider = provider
        return answers
    }

    func page(_ page: Page, status: Status = .ok, for request: Request) throws -> Response {
        let language = language(of: request)
        var response = Response(
            status,
            body: pages.render(page, language: language, naming: provider, at: place(of: request))
        )
        try response.headers.append(.contentType, "text/html; charset=utf-8")
        try response.headers.append(.contentLanguage, language.tag)
        try response.headers.append(.vary, "Accept, Accept-Language, Cookie")
        try response.headers.append(.contentSecurityPolicy, pages.policy(for: page))
        try response.headers.append(.xFrameOptions, "DENY")
        // Without a referrer, browsers make the `Origin` of a form `null` (Fetch Standard, “append a request `Origin` header”).
        return try response.withCommonHeaders(referrers: page.holdsForm ? "same-origin" : "no-referrer")
    }

    func redirect(to location: String) throws -> Response {
        var response = Response(.seeOther)
        try response.headers.append(.location, location)
        return try response.withCommonHeaders()
    }

    /// Redirects to where a sign-in leads: its return path or the home page.
    func redirect(to returnPath: ReturnPath?) throws -> Response {
        try redirect(to: returnPath?.text ?? home.text)
    }

    /// Redirects to the start of a sign-in that leads back to a path.
    func redirectToSignIn(returningTo path: String) throws -> Response {
        try redirect(to: mount.path("/login") + "?" + FormData(["return_to": path]).encoded)
    }

    func json(_ status: Status, _ body: [UInt8]) throws -> Response {
        var response = Response(status, body: body)
        try response.headers.append(.contentType, "application/json")
        try response.headers.append(.crossOriginResourcePolicy, "same-origin")
        try response.headers.append(.vary, "Accept, Cookie")
        return try response.withCommonHeaders()
    }

    func json(_ status: Status, encoding value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        // Sorted, because the encoder's own order changes between calls.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try json(status, [UInt8](encoder.encode(value)))
    }

    /// A response without a body, for requests whose answer nobody reads.
    func bare(_ status: Status) throws -> Response {
        try Response(status).withCommonHeaders()
    }

    /// The number of a request, for its page or JSON; nil unless the log has a warning or an error with the number.
    func number(of request: Request) -> RequestID? { log.hasLine(request.id) ? request.id : nil }

    /// The page, or the JSON, that says what happened and what to do next.
    ///
    /// `retryAfter`, in seconds, replaces the usual value of the kind. Signing in or a retry leads to `returnPath`.
    /// Only scripts ask for `/session`, so its problems are JSON, whatever the request prefers.
    func problem(
        _ kind: Problem.Kind,
        activity: Problem.Activity? = nil,
        retryAfter: Int? = nil,
        returnPath: ReturnPath? = nil,
        for request: Request
    ) throws -> Response {
        let retryAfter = retryAfter ?? kind.retryAfter
        var response: Response
        if request.prefersJSON || SitePath(request.path, mount: mount) == .session {
            let id = kind.showsRequest ? number(of: request) : nil
            response = try json(kind.status, encoding: APIProblem(error: kind.rawValue, request: id))
        } else {
            let problem = Problem(
                kind,
                requestID: number(of: request)?.description,
                // The text of the page names the ten seconds.
                retryAfter: kind == .accessPending ? nil : retryAfter,
                activity: activity,
                returnPath: returnPath?.text
            )
            response = try page(.problem(problem), status: kind.status, for: request)
        }
        if let retryAfter { try response.headers.append(.retryAfter, String(retryAfter)) }
        return kind.status == .unauthorized ? try challenging(response, for: request) : response
    }

    /// The 405 that names the methods of the address.
    func methodNotAllowed(_ methods: [Method], for request: Request) throws -> Response {
        var response = try problem(.methodNotAllowed, for: request)
        try response.headers.set(.allow, methods.map(\.rawValue).joined(separator: ", "))
        return response
    }

    /// The 401 for a request that cannot sign in; for a script, with the address where a person can.
    func signInNeeded(_ request: Request) throws -> Response {
        guard RequestKind(request) != .resource else { return try challenging(bare(.unauthorized), for: request) }
        let problem = APIProblem(error: "unauthorized", loginURL: mount.origin + mount.path("/login"))
        return try challenging(json(.unauthorized, encoding: problem), for: request)
    }

    /// Leads a visitor without a session through sign-in to a page of the program.
    ///
    /// A form that was sent is lost, so a page says so first.
    func demandSignIn(_ request: Request, for path: SitePath) throws -> Response {
        guard RequestKind(request) == .navigation else { return try signInNeeded(request) }
        let wanted = ReturnPath(trusted: mount.path(path.rawValue))
        guard request.method != .post else { return try problem(.changeNeedsSignIn, returnPath: wanted, for: request) }
        return try redirectToSignIn(returningTo: wanted.text)
    }

    /// Adds to a 401 how to sign in (RFC 9110 §11.6.1).
    ///
    /// At `error_page 401 = @signin`, nginx adds the challenge of the answer to `auth_request` itself.
    ///
    /// The scheme of draft-broyer-http-cookie-auth names the address for sign-in and the cookie that it sets. `Basic`
    /// would open a dialog in browsers, and `Bearer` would suggest tokens that are not accepted.
    func challenging(_ response: Response, for request: Request) throws -> Response {
        guard request.purpose != .question(.signIn) else { return response }
        var response = response
        let loginURL = mount.origin + mount.path("/login")
        let scheme = #"Cookie realm="\#(mount.origin)", form-action="\#(loginURL)", cookie-name="__Host-session""#
        try response.headers.append(.wwwAuthenticate, scheme)
        return response
    }

    /// Answers `GET /language`: shows the pages in the language `tag` from now on, and returns to `return_to`.
    ///
    /// A link on a page of another site does not change the language.
    func changeLanguage(_ request: Request) throws -> Response {
        guard let form = FormData(parsing: request.query), case .one(let tag) = form["tag"],
            let language = pages.language(tag: tag)
        else { return try problem(.notFound, for: request) }
        var place: String?
        if case .one(let text) = form["return_to"] { place = self.place(text) }
        var response = try redirect(to: place ?? mount.path(SitePath.home.rawValue))
        if request.method != .head, mount.isFromSameSite(request) {
            let cookie = SetCookie(Self.languageCookieName, value: language.tag, maxAge: Self.languageLifetime)
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// The language of the pages for a visitor.
    private func language(of request: Request) -> Language {
        var chosen: String?
        if case .one(let tag) = request.cookies[SetCookie.prefix + Self.languageCookieName] { chosen = tag }
        return pages.language(chosen: chosen, acceptLanguage: request.headers[.acceptLanguage])
    }

    /// The path to which a change of the language returns: the page itself, if a GET request shows it again.
    private func place(of request: Request) -> String? {
        request.method == .get ? place(request.uri) : nil
    }

    /// A local path; nil if it starts a sign-in or completes one, because a second request does something else.
    private func place(_ text: String) -> String? {
        guard let path = ReturnPath(text) else { return nil }
        let route = path.sitePath(mount: mount)
        guard route == .login else { return route == .callback ? nil : path.text }
        let query = FormData(parsing: String(path.text.dropFirst(path.path.count).dropFirst()))
        guard offersChoice, case .some(.none) = query?["provider"] else { return nil }
        return path.text
    }
}

extension Response {
    /// Adds the fields that set cookies.
    mutating func set(_ cookies: [SetCookie]) throws(InvalidHeaderValue) {
        for cookie in cookies { try headers.append(.setCookie, cookie.headerValue) }
    }

    /// Adds the fields of every answer: no-store, nosniff and the referrer policy.
    fileprivate func withCommonHeaders(referrers policy: String = "no-referrer") throws -> Response {
        var response = self
        try response.headers.append(.cacheControl, "no-store")
        try response.headers.append(.xContentTypeOptions, "nosniff")
        try response.headers.append(.referrerPolicy, policy)
        return response
    }
}
