/// A request as this program reads it, translated from CGI meta-variables (RFC 3875 §4.1).
///
/// Only what some handler reads is here: a header that is not in `readHeaders` is not even copied, so that none can
/// take part in a decision by accident.
package struct Request: Sendable {
    /// The FastCGI role the server asked for (FastCGI 1.0 §6).
    package enum Role: Sendable {
        case responder
        case authorizer
    }

    package var id: RequestID
    package var role: Role
    package var method: Method
    /// The path the server routed on: decoded and normalised, never the raw `REQUEST_URI`.
    ///
    /// An authorizer decides on no path, and is told none: always `/`.
    package var path: String
    /// `QUERY_STRING`, as sent.
    package var query: String
    /// The client's own spelling of path and query (`REQUEST_URI`).
    ///
    /// For returning there, never for deciding.
    package var uri: String
    /// `REMOTE_ADDR`: for the log, and for what one client may take up.
    package var remoteAddress: String
    package var cookies: Cookies
    package var headers: Headers
    /// `SIGNIN_*` parameters, which only the server's configuration can set.
    package var serverParameters: [String: String]
    package var body: [UInt8]
    /// Whether there was a body too large to be taken: then `body` is empty.
    package var isBodyOmitted = false

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
        serverParameters: [String: String] = [:],
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

    /// The header fields that handlers may read; `Cookie` has a type of its own.
    package static let readHeaders: [HeaderName] = [
        .accept, .acceptLanguage, .accessControlRequestMethod, .contentType, .origin, .purpose, .referer, .secFetchDest,
        .secFetchMode, .secFetchSite, .secPurpose, .userAgent, .xHTTPMethod, .xHTTPMethodOverride, .xMethodOverride,
        .xRequestedWith,
    ]
}
