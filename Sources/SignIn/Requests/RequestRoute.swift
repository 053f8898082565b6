import HTTP
import Settings

/// What a request asks for, as a number by which answers are counted.
package enum RequestRoute {
    private static let check = 0
    private static let signIn = 1
    private static let denied = 2
    private static let other = 3
    private static let paths = 4

    /// The names by number: `check` is the session check of both web servers, `sign-in` and `denied` are what it leads to, and
    /// a path is a route of the site.
    package static let names = ["check", "sign-in", "denied", "other"] + SitePath.allCases.map(\.rawValue)

    /// The number of the route of a request, in `names`.
    static func number(of request: Request, mount: Mount) -> Int {
        switch request.purpose {
        case .question(.check), .question(.authorizer): return check
        case .question(.signIn), .ask: return signIn
        case .question(.denied): return denied
        case .unknown: return other
        case .route:
            guard let path = SitePath(request.path, mount: mount) else { return other }
            guard path != .authorization else { return check }
            return SitePath.allCases.firstIndex(of: path).map { paths + $0 } ?? other
        }
    }
}
