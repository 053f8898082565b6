import Settings

/// What the configuration of a web server depends on: the address of the site, the address where the program listens,
/// and the guarded locations.
///
/// Every text in it can be part of a configuration file, with or without quotes.
package struct FrontEnd: Sendable {
    /// The address of the site without a path.
    let origin: WebURL
    let mount: Mount
    let listener: ListenAddress
    /// Bytes.
    let maxBody: Int
    /// Seconds that the web server waits for an answer: longer than the program waits for LinkedIn, so that the visitor
    /// sees the program's own page about the fault.
    let readTimeout: Int
    /// Whether the program reads an access token from `POST /session`.
    let acceptsTokens: Bool
    /// How long nginx keeps a verdict; nil if it asks about every request.
    let verdictLife: VerdictLife?
    /// Whether guarded locations accept personal tokens.
    let acceptsPersonalTokens: Bool
    /// The redirect addresses of the providers that files add, below the mount.
    let callbacks: [String]
    /// The names of the claims that applications get.
    let applicationClaims: [String]
    /// The guarded locations, each once.
    let guarded: [GuardedLocation]

    /// The location that the configuration guards if the operator names none.
    static let exampleLocation = "/private/"

    /// What include files without a guard mean, for the operator.
    static let withoutGuards = """
        The site has sign-in and no guarded location. To guard a location, run the command again with its path, such as
        --location /private/.
        """

    /// Facts about the configuration that may surprise an operator.
    package var notes: [String] { guarded.compactMap { $0.note(visited: visitedRoutes.map(mount.path)) } }

    /// The whole configuration file of a web server; unknown values, such as paths of certificates, are examples.
    package func configuration(of server: WebServer) -> String {
        switch server {
        case .nginx: NginxConfiguration(front: self).text
        case .lighttpd: LighttpdConfiguration(front: self).text
        }
    }

    /// The address where the web server of a site without HTTPS listens: only this machine may use plain HTTP.
    var plainAddress: String { origin.host == "localhost" ? "127.0.0.1" : origin.host }

    /// What applications learn about members; whatever a client sends under these names is replaced or rejected.
    var identities: [IdentityField] {
        IdentityField.all(claims: applicationClaims, alwaysGroups: true)
    }

    /// The paths that browsers visit, below the mount.
    var visitedRoutes: [String] {
        SitePath.used(personalTokens: acceptsPersonalTokens).filter { !SitePath.inner.contains($0) }.map(\.rawValue)
            + callbacks
    }

    /// A regular expression for the paths to which providers send browsers back; nil if there is only `/oauth`.
    var callbackPattern: String? {
        guard !callbacks.isEmpty else { return nil }
        let ids = callbacks.map { $0.dropFirst(SitePath.callback.rawValue.count) }.joined(separator: "|")
        return "^\(mount.path(SitePath.callback.rawValue).replacing(".", with: #"\."#))(?:\(ids))?"
    }

    /// The paths for load balancers and monitoring, below the mount.
    static let healthRoutes = [SitePath.health, .readiness].map(\.rawValue)

    /// The maximum size of a form of the program's own pages, in bytes.
    var ownBody: Int { min(maxBody, 64 * 1024) }
}
