import HTTP
import Sessions

/// Creates the request that sends a form to the application, as the browser itself would send it.
enum FormRequest {
    /// Creates the request from a form and from the browser's headers in the request that confirms the form.
    ///
    /// A kept form comes from the same origin. For any other form (`isOwn` is false), the browser's own headers about
    /// the origin are copied.
    static func make(
        _ form: KeptForm,
        to origin: String,
        as request: Request,
        isOwn: Bool
    ) throws(InvalidHeaderValue) -> ClientRequest {
        var headers = Headers()
        try headers.append(.contentType, form.contentType)
        // Only this program may see the cookies that open kept forms. Without them, the request cannot come here again.
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
        // Without this field, the application may choose any encoding (RFC 9110 §12.5.3).
        try headers.append(.acceptEncoding, "identity")
        try headers.append(.xForwardedFor, request.remoteAddress)
        return ClientRequest(.post, origin + form.uri, headers: headers, body: form.body)
    }
}
