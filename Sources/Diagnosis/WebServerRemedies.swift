import HTTP

/// Lines to change, for the web server that answers.
struct WebServerRemedies: Sendable {
    private let server: String

    /// - Parameter headers: The header of an answer, in which a web server usually names itself.
    init(_ headers: Headers) {
        server = HeaderName("Server").flatMap { headers[$0] }?.lowercased() ?? ""
    }

    /// Returns the lines for the server that answered, or for both with their names if it is not known.
    func callAsFunction(nginx: [String], lighttpd: [String]) -> [String] {
        if server.hasPrefix("nginx") { return nginx }
        if server.hasPrefix("lighttpd") { return lighttpd }
        return nginx.map { "nginx: \($0)" } + lighttpd.map { "lighttpd: \($0)" }
    }

    /// For a configuration that differs from the printed one.
    var print: [String] {
        self(
            nginx: [
                "compare with: linkedin-signin print-config nginx, and run: nginx -T | linkedin-signin check --nginx -"
            ],
            lighttpd: [
                "compare with: linkedin-signin print-config lighttpd, and run: "
                    + "lighttpd -pp -f /etc/lighttpd/lighttpd.conf | linkedin-signin check --lighttpd -"
            ]
        )
    }
}
