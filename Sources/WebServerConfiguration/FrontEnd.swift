import Settings

/// What a web server in front of this program has to know: where the site is, where the program listens, and what to
/// guard.
///
/// Every text in it is plain enough to stand in a configuration file, with or without quotes.
package struct FrontEnd: Sendable {
    /// The site without its path.
    let origin: WebURL
    let mount: Mount
    let listener: ListenAddress
    /// Bytes.
    let maxBody: Int
    /// Seconds until an answer must have come: longer than the program waits for LinkedIn, so that its own page
    /// explains the fault.
    let readTimeout: Int
    /// What to guard, no location twice.
    let guarded: [GuardedLocation]

    /// The location that is shown where an operator names none.
    static let exampleLocation = "/private/"

    /// What an operator may not expect of the configuration.
    package var notes: [String] { guarded.compactMap { $0.note(mount: mount) } }

    /// The whole configuration of a server; what cannot be known, such as paths of certificates, is an example.
    package func configuration(of server: WebServer) -> String {
        switch server {
        case .nginx: NginxConfiguration(front: self).text
        case .lighttpd: LighttpdConfiguration(front: self).text
        }
    }

    /// The routes that browsers visit, below the mount; `/auth` is the web server's own.
    static var visitedRoutes: [String] {
        SitePath.allCases.filter { $0 != .authorization }.map(\.rawValue)
    }

    /// Bytes that the forms of this program's own pages need at most.
    var ownBody: Int { min(maxBody, 64 * 1024) }
}
