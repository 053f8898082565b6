import Settings

/// A web server that this program supports.
package enum WebServer: String, CaseIterable, Sendable {
    case nginx, lighttpd
}

extension WebServer {
    /// The user in the configuration of this machine; nil if the web server is not installed, or the file names none.
    var installedUser: String? {
        let path = "/etc/\(rawValue)/\(rawValue).conf"
        guard let text = (try? OperatorFile(path))?.text else { return nil }
        switch self {
        case .nginx: return NginxDump(text, source: path).directives.named("user").last?.arguments.first
        case .lighttpd: return LighttpdParser.block(text, file: path).setting("server.username")?.value.text
        }
    }
}
