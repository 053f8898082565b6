import EventLog
import HTTP
import OpenID
import Pages
import Settings

import class FoundationEssentials.JSONEncoder

extension Site {
    func page(_ page: Page, status: Status = .ok, for request: Request) throws -> Response {
        let language = language(of: request)
        var response = Response(status, body: pages.render(page, language: language, at: place(of: request)))
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

    /// Where a sign-in leads: its return path or the home page.
    func location(of returnPath: ReturnPath?) -> String {
        returnPath?.text ?? home.text
    }

    func json(_ status: Status, _ body: [UInt8]) throws -> Response {
        var response = Response(status, body: body)
        try response.headers.append(.contentType, "application/json")
        try response.headers.append(.crossOriginResourcePolicy, "same-origin")
        try response.headers.append(.vary, "Accept, Cookie")
        return try response.withCommonHeaders()
    }

    /// A response without a body, for requests whose answer nobody reads.
    func bare(_ status: Status) throws -> Response {
        try Response(status).withCommonHeaders()
    }

    func json(_ status: Status, encoding value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        // Sorted, because the encoder's own order changes between calls.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try json(status, [UInt8](encoder.encode(value)))
    }

    /// The page, or the JSON, that says what happened and what to do next.
    ///
    /// `retryAfter`, in seconds, replaces the usual value of the kind. Signing in or a retry leads to `returnPath`.
    func problem(
        _ kind: Problem.Kind,
        activity: Problem.Activity? = nil,
        retryAfter: Int? = nil,
        returnPath: ReturnPath? = nil,
        for request: Request
    ) throws -> Response {
        let retryAfter = retryAfter ?? kind.retryAfter
        var response: Response
        if request.prefersJSON {
            response = try json(kind.status, encoding: APIProblem(error: APIProblem.code(kind), request: request.id))
        } else {
            let problem = Problem(
                kind,
                requestID: request.id.description,
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

    func signInFailed(
        _ error: OpenIDError,
        keeping pending: PendingSignIn? = nil,
        request: Request
    ) throws -> Response {
        let reason = error.code.rawValue
        let detail = error.logDetail
        return try signInFailed(
            Problem.Kind(error),
            reason: reason,
            detail: detail,
            retryAfter: error.throttle?.retryAfter,
            keeping: pending,
            request: request
        )
    }

    /// The page for a failed sign-in; trying again leads to the same address and keeps the kept form.
    ///
    /// `pending` is the sign-in if this browser started it and it has not expired. An expired sign-in has only its
    /// return path.
    func signInFailed(
        _ kind: Problem.Kind,
        reason: String,
        detail: String = "",
        retryAfter: Int? = nil,
        keeping pending: PendingSignIn? = nil,
        returnPath: ReturnPath? = nil,
        request: Request
    ) throws -> Response {
        let level = kind.status.code >= 500 ? LogLevel.error : .warning
        log(LogEvent(level, "sign-in-failed", of: request, reason: reason, fields: [("detail", detail)]))
        let form = try pending.flatMap { try keptFormPage(of: $0, request: request) }
        let wanted = form?.path ?? pending?.returnPath ?? returnPath
        var response = try problem(kind, retryAfter: retryAfter, returnPath: wanted, for: request)
        for cookie in form?.cookies ?? [] { try response.headers.append(.setCookie, cookie.headerValue) }
        return response
    }
}

extension Response {
    /// Adds the fields of every answer: no-store, nosniff and the referrer policy.
    fileprivate func withCommonHeaders(referrers policy: String = "no-referrer") throws -> Response {
        var response = self
        try response.headers.append(.cacheControl, "no-store")
        try response.headers.append(.xContentTypeOptions, "nosniff")
        try response.headers.append(.referrerPolicy, policy)
        return response
    }
}
