import Guard
import HTTP
import Settings

/// What the web server wants with a request.
///
/// Only `Request.purpose` reads the FastCGI role and the action, which only the configuration of the web server can set.
enum Purpose: Equatable {
    /// The web server asks about a request for a guarded location.
    case question(Question)
    /// Offer sign-in, without a question before.
    case ask
    /// The configuration names an action that does not exist.
    case unknown
    /// The path of the request is one of the site's own.
    case route

    /// A question that the gate decides.
    enum Question {
        /// Whether the request passes: nginx's `auth_request`, which discards the body of the answer.
        case check
        /// The same of lighttpd's authorizer, which passes any answer except 200 on to the client (FastCGI 1.0 §6.3).
        case authorizer
        /// What to answer after a check said 401: nginx's `error_page 401 = @signin`.
        case signIn
        /// What to answer after a check said 403: nginx's `error_page 403 = @denied`.
        case denied
    }
}

extension Request {
    /// What the web server wants with this request.
    ///
    /// A property, because an initializer would copy the request.
    var purpose: Purpose {
        guard role == .responder else { return .question(.authorizer) }
        guard let action = serverParameters.action, !action.isEmpty else { return .route }
        // Compared first, because that costs less than finding one of several names.
        guard action != Action.authorize.rawValue else { return .question(.check) }
        return switch Action(rawValue: action) {
        case .authorize: .question(.check)
        case .signIn: .question(.signIn)
        case .denied: .question(.denied)
        case .ask: .ask
        case nil: .unknown
        }
    }
}
