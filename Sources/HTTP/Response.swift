/// A response: status, header fields, body.
package struct Response: Sendable, Equatable {
    package var status: Status
    package var headers: Headers
    package var body: [UInt8]
    /// Whether the header is another program's; the web server has a larger buffer for it.
    package var hasForeignHeader = false

    package init(_ status: Status, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A response status with the reason phrase of a CGI `Status:` line (RFC 9110 §15, RFC 3875 §6.3.3).
///
/// Two statuses are equal if their codes are.
package struct Status: Hashable, Sendable {
    package let code: Int
    package let reason: String

    package init(_ code: Int, _ reason: String = "Unknown") {
        self.code = code
        self.reason = reason
    }

    package static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    package static let ok = Status(200, "OK")
    package static let seeOther = Status(303, "See Other")
    package static let badRequest = Status(400, "Bad Request")
    package static let unauthorized = Status(401, "Unauthorized")
    package static let forbidden = Status(403, "Forbidden")
    package static let notFound = Status(404, "Not Found")
    package static let methodNotAllowed = Status(405, "Method Not Allowed")
    package static let conflict = Status(409, "Conflict")
    package static let gone = Status(410, "Gone")
    package static let contentTooLarge = Status(413, "Content Too Large")
    package static let tooManyRequests = Status(429, "Too Many Requests")
    package static let headerFieldsTooLarge = Status(431, "Request Header Fields Too Large")
    package static let internalServerError = Status(500, "Internal Server Error")
    package static let badGateway = Status(502, "Bad Gateway")
    package static let serviceUnavailable = Status(503, "Service Unavailable")
    package static let gatewayTimeout = Status(504, "Gateway Timeout")
}
