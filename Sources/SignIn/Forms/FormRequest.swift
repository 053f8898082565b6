import HTTP
import Sessions

/// A form on its way to the application, as the browser itself would send it.
enum FormRequest {
    /// The request with what the browser says of itself in another one, which it sends in the form's place.
    ///
    /// If the form was kept, it is known to be of the same origin; otherwise (`isOwn` is false) the browser's own words
    /// about that go on.
    static func make(
        _ form: KeptForm,
        to origin: String,
        as request: Request,
        isOwn: Bool
    ) throws(InvalidHeaderValue) -> ClientRequest {
        var headers = Headers()
        try headers.append(.contentType, form.contentType)
        // The cookies that open the kept form are for nobody else; without them the request is not sent round again.
        let cookies = request.cookies.line(withoutPrefix: ResumeCookies.prefix)
        let copied: [(HeaderName, String?)] = [
            (.cookie, cookies), (.referer, form.referer), (.userAgent, request.headers[.userAgent]),
            (.accept, request.headers[.accept]), (.acceptLanguage, request.headers[.acceptLanguage]),
            (.origin, isOwn ? origin : request.headers[.origin]),
            (.secFetchSite, isOwn ? "same-origin" : request.headers[.secFetchSite]),
        ]
        for (name, value) in copied {
            if let value { try headers.append(name, value) }
        }
        try headers.append(.secFetchMode, "navigate")
        try headers.append(.secFetchDest, "document")
        // Without it any encoding would do (RFC 9110 §12.5.3).
        try headers.append(.acceptEncoding, "identity")
        try headers.append(.xForwardedFor, request.remoteAddress)
        return ClientRequest(.post, origin + form.uri, headers: headers, body: form.body)
    }
}
