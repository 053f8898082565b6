import HTTP

/// What the web server wants of a request beside its path: set by its configuration alone, never by a client.
package enum Action: String, Sendable {
    /// Say whether the request may pass: nginx's `auth_request`.
    case authorize
    /// The request was turned away with 401 and landed here: nginx's `error_page 401 = @signin`.
    case signIn = "signin"
    /// The same with 403.
    case denied

    /// The request has no session cookie, and its body was read: lighttpd, which would otherwise ask the authorizer, send
    /// the answer and close the connection while the body still arrives.
    case ask

    /// The name of the parameter.
    package static let parameter = "SIGNIN_ACTION"
}

extension Request {
    /// The rule of the location that the request is for.
    package var requirement: String { serverParameters["SIGNIN_REQUIRE"] ?? "" }
}
