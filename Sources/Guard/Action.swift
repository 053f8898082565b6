package import EventLog
package import HTTP

/// What the web server asks the program to do; set only by its configuration, never by a client.
package enum Action: String, Sendable {
    /// Decide whether the request is allowed: nginx's `auth_request`.
    case authorize
    /// Offer sign-in after the request was rejected with 401: nginx's `error_page 401 = @signin`.
    case signIn = "signin"
    /// Show the reason after the request was rejected with 403.
    case denied

    /// Offer sign-in for a request without a session cookie, after the web server has received its body.
    ///
    /// lighttpd's authorizer would answer and close the connection while the body is still arriving.
    case ask

    /// The name of the FastCGI parameter.
    package static let parameter = ServerParameters.actionName
}

extension Request {
    /// The rule of the guarded location; empty if there is none.
    ///
    /// Every request about a guarded location has it, also those at `@signin` and `@denied`: nginx's variables keep their
    /// values from `auth_request` to the answer.
    package var requirement: String { serverParameters.requirement ?? "" }

    /// The reason why the check of this request answered 403, which nginx passes on; empty if nginx itself denied it.
    package var checkReason: String { serverParameters[ServerParameters.reasonName] ?? "" }

    /// The requested path, without the query, and its rule, for the log.
    package var guardedPlace: [LogEvent.Field] {
        [("location", String(uri.prefix { $0 != "?" })), ("rule", requirement)]
    }
}
