import HTTP
import Settings

/// Lines to change, for the web server that answers.
struct WebServerRemedies: Sendable {
    private let server: String
    /// The option that names the site, in front of a space; empty for the site that needs none.
    private let option: String

    /// - Parameters:
    ///   - headers: The header of an answer, in which a web server usually names itself.
    ///   - site: The site; nil for settings at a place that no unit of the package reads.
    init(_ headers: Headers, of site: InstalledSite?) {
        option = site?.option ?? ""
        server = HeaderName("Server").flatMap { headers[$0] }?.lowercased() ?? ""
    }

    var isNginx: Bool { server.hasPrefix("nginx") }

    /// Returns the lines for the server that answered, or for both with their names if it is not known.
    func callAsFunction(nginx: [String], lighttpd: [String]) -> [String] {
        if isNginx { return nginx }
        if server.hasPrefix("lighttpd") { return lighttpd }
        return nginx.map { "nginx: \($0)" } + lighttpd.map { "lighttpd: \($0)" }
    }

    /// For a response that may be that of a line of the operator.
    var review: [String] {
        let text = "which finds lines that keep requests from linkedin-signin or from its guards"
        return self(nginx: ["\(nginxReview), \(text)"], lighttpd: ["\(lighttpdReview), \(text)"])
    }

    private var nginxReview: String { "run: nginx -T | linkedin-signin check\(option) --nginx -" }
    private var lighttpdReview: String {
        "run: lighttpd -pp -f /etc/lighttpd/lighttpd.conf | linkedin-signin check\(option) --lighttpd -"
    }

    /// The line of a unit that keeps the web server from connecting to the program; nil if there is none.
    func obstacle(to listen: ListenAddress) -> ConfigurationError.Problem? {
        let all = ["nginx", "lighttpd"]
        let named = all.filter(server.hasPrefix)
        return (named.isEmpty ? all : named).lazy.compactMap { WebServerUnit($0)?.obstacle(to: listen) }.first
    }

    /// For a configuration that differs from the printed one.
    var print: [String] {
        self(
            nginx: ["compare with: linkedin-signin print-config nginx\(option), and \(nginxReview)"],
            lighttpd: ["compare with: linkedin-signin print-config lighttpd\(option), and \(lighttpdReview)"]
        )
    }
}
