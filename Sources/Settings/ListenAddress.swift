/// The address where the program accepts connections from the web server.
package enum ListenAddress: Sendable, Equatable {
    /// The socket that systemd, spawn-fcgi or lighttpd opened, or the default path without one.
    case automatic
    case inherited
    case unix(path: String)
    case loopback(host: String, port: Int)

    package static let defaultPath = "/run/linkedin-signin/socket"

    init?(_ text: String) {
        if text.isEmpty {
            self = .automatic
        } else if text == "inherited" {
            self = .inherited
        } else if text.hasPrefix("unix:/"), text.utf8.count - 5 <= 103 {
            // sun_path holds 108 bytes with its final NUL (unix(7)), and the socket is created as PATH.new.
            self = .unix(path: String(text.dropFirst(5)))
        } else if text.hasPrefix("tcp:"), let url = WebURL("http://" + text.dropFirst(4)), url.isLoopback,
            let port = url.port, url.path.isEmpty
        {
            self = .loopback(host: url.host, port: port)
        } else {
            return nil
        }
    }
}
