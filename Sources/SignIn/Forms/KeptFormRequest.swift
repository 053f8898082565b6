import HTTP
import Sessions

/// Creates the request that sends a form to the application, as the browser itself would send it.
enum KeptFormRequest {
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
        let cookies = request.cookies.line(withoutPrefix: KeptFormCookies.prefix)
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

/// The application's answer to a form, on its way to the browser.
enum KeptFormAnswer {
    /// Fields of the connection with the application (RFC 9110 §7.6.1), and fields that the web server sets itself.
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", "content-length", "content-encoding", "date", "server", "status",
        "strict-transport-security", "alt-svc", "accept-ranges",
    ]

    static func make(_ answer: ClientResponse) throws(InvalidHeaderValue) -> Response {
        var response = Response(Status(answer.status, reason(answer.status)), body: answer.body)
        response.hasForeignHeader = true
        let ofConnection = Set(
            answer.headers.values(.connection).flatMap { value in
                value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            }
        )
        for field in answer.headers.fields {
            let name = field.name.description.lowercased()
            // X-Accel-Redirect and similar fields are commands to nginx, which has already obeyed those meant for it.
            guard !dropped.contains(name), !ofConnection.contains(name), !name.hasPrefix("x-accel-") else { continue }
            try response.headers.append(field.name, field.value)
        }
        return response
    }

    private static func reason(_ status: Int) -> String {
        let known: [Status] = [
            .ok, Status(201, "Created"), Status(202, "Accepted"), Status(204, "No Content"),
            Status(301, "Moved Permanently"), Status(302, "Found"), .seeOther, Status(307, "Temporary Redirect"),
            Status(308, "Permanent Redirect"), .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed,
            .conflict, .gone, .contentTooLarge, Status(415, "Unsupported Media Type"),
            Status(422, "Unprocessable Content"), .tooManyRequests, .internalServerError, .badGateway,
            .serviceUnavailable, .gatewayTimeout,
        ]
        return known.first { $0.code == status }?.reason ?? "Unknown"
    }
}
