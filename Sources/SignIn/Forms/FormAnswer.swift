import HTTP

/// The application's answer to a form, on its way to the browser.
enum FormAnswer {
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
