import Guard
package import HTTP
import Settings

/// What a request asks for, as a number by which answers are counted.
package enum RequestRoute {
    fileprivate static let check = 0
    fileprivate static let signIn = 1
    fileprivate static let denied = 2
    fileprivate static let other = 3
    fileprivate static let paths = 4

    /// The names by number: `check` is the session check of both web servers, `sign-in` and `denied` are what it leads to, and
    /// a path is a route of the site.
    package static let names = ["check", "sign-in", "denied", "other"] + SitePath.allCases.map(\.rawValue)
}

extension Site {
    /// The number of the route of a request, in `RequestRoute.names`.
    package func route(of request: Request) -> Int {
        guard request.role == .responder else { return RequestRoute.check }
        if let action = request.serverParameters.action, !action.isEmpty {
            // Compared first, because that costs less than finding one of several names.
            guard action != Action.authorize.rawValue else { return RequestRoute.check }
            return switch Action(rawValue: action) {
            case .authorize: RequestRoute.check
            case .signIn, .ask: RequestRoute.signIn
            case .denied: RequestRoute.denied
            case nil: RequestRoute.other
            }
        }
        guard let path = SitePath(request.path, mount: mount) else { return RequestRoute.other }
        guard path != .authorization else { return RequestRoute.check }
        return SitePath.allCases.firstIndex(of: path).map { RequestRoute.paths + $0 } ?? RequestRoute.other
    }

    /// The calls to the provider now.
    package var callFigures: CallFigures {
        CallFigures(
            limit: providerCalls.limit,
            active: providerCalls.activeCount,
            waiting: providerCalls.waitingCount,
            held: heldCalls.count(at: now())
        )
    }
}

/// The calls to the provider at one moment.
package struct CallFigures: Sendable {
    /// `SIGNIN_UPSTREAM_CALLS`.
    package let limit: Int
    /// Sign-ins and profiles that make calls.
    package let active: Int
    /// Requests that wait for another one to end.
    package let waiting: Int
    /// Members, sessions or the application, for which calls are held back after a failure.
    package let held: Int
}
