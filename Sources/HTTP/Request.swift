/// Answers a request.
package typealias Handler = @Sendable (Request) async throws -> Response

/// A request, translated from CGI meta-variables (RFC 3875 §4.1).
///
/// It contains only what handlers read: a header that is not in `readHeaders` is not copied, so that it cannot
/// influence a decision by mistake.
package struct Request: Sendable {
    /// The FastCGI role that the web server asks for (FastCGI 1.0 §6).
    package enum Role: Sendable {
        case responder
        case authorizer
    }

    package var id: RequestID
    package var role: Role
    package var method: Method
    /// The path that the web server routed by: decoded and normalized, never the raw `REQUEST_URI`.
    ///
    /// Always `/` for an authorizer, which does not decide by the path.
    package var path: String
    /// `QUERY_STRING`, as sent.
    package var query: String
    /// The client's spelling of path and query (`REQUEST_URI`).
    ///
    /// For redirects back to it, and for the locations of personal tokens, which reject every ambiguous spelling. No other
    /// decision uses it.
    package var uri: String
    /// `REMOTE_ADDR`: for the log, and for limits of one client.
    package var remoteAddress: String
    package var cookies: Cookies
    package var headers: Headers
    /// `SIGNIN_*` parameters, which only the configuration of the web server can set.
    package var serverParameters: ServerParameters
    package var body: [UInt8]
    /// Whether the client may have sent a body, whether or not the web server passes the body to this program.
    package var mayHaveBody = false
    /// Whether the body was over the limit and was omitted; `body` is then empty.
    package var isBodyOmitted = false
    /// How often each CGI meta-variable arrived, by name; empty unless the request is one of `doctor`.
    package var variableCounts: [String: Int] = [:]

    package init(
        id: RequestID = RequestID(),
        role: Role = .responder,
        method: Method = .get,
        path: String = "/",
        query: String = "",
        uri: String = "",
        remoteAddress: String = "",
        cookies: Cookies = Cookies(),
        headers: Headers = Headers(),
        serverParameters: ServerParameters = [:],
        body: [UInt8] = []
    ) {
        self.id = id
        self.role = role
        self.method = method
        self.path = path
        self.query = query
        self.uri = uri
        self.remoteAddress = remoteAddress
        self.cookies = cookies
        self.headers = headers
        self.serverParameters = serverParameters
        self.body = body
    }

    /// The header fields that handlers may read; `Cookie` has its own type.
    package static let readHeaders: [HeaderName] = [
        .accept, .acceptLanguage, .accessControlRequestMethod, .contentType, .origin, .purpose, .referer, .secFetchDest,
        .secFetchMode, .secFetchSite, .secPurpose, .userAgent, .xHTTPMethod, .xHTTPMethodOverride, .xMethodOverride,
        .xRequestedWith,
    ]
}

/// A request method, compared case-sensitively (RFC 9110 §9.1); other values are possible.
package struct Method: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = Method(rawValue: "GET")
    package static let head = Method(rawValue: "HEAD")
    package static let options = Method(rawValue: "OPTIONS")
    package static let post = Method(rawValue: "POST")
    /// The methods of an address to which nothing is sent.
    package static let reading = [get, head]
}

/// A number that connects a log line with a request and with the page that its visitor saw; it is not a secret.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The first half of a number that the web server made; nil for a number that this program made.
    private let first: UInt64?
    private let last: UInt64

    package init(_ value: UInt64 = .random(in: 0...UInt64.max)) {
        first = nil
        last = value
    }

    /// Reads the number that a web server made, such as nginx's `$request_id`; nil unless it is 32 lowercase hexadecimal
    /// digits.
    package init?(digits: Span<UInt8>) {
        guard digits.count == 32, let first = Self.number(digits.extracting(..<16)),
            let last = Self.number(digits.extracting(16...))
        else { return nil }
        self.first = first
        self.last = last
    }

    private static func number(_ digits: Span<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for index in digits.indices {
            switch digits[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digits[index] & 0xf)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digits[index] & 0xf + 9)
            default: return nil
            }
        }
        return number
    }

    /// Sixteen hexadecimal digits, or the 32 of the web server's number.
    package var description: String {
        (first.map(Self.digits) ?? "") + Self.digits(last)
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
