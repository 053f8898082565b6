import Encoding

/// The unit of a web server, whose drop-in files can keep the web server from connecting to the program.
package struct WebServerUnit {
    private let unit: SystemdUnit

    /// Reads the unit; nil if this machine has none.
    ///
    /// - Parameter server: `nginx` or `lighttpd`.
    package init?(_ server: String) {
        guard let unit = SystemdUnit(named: "\(server).service") else { return nil }
        self.unit = unit
    }

    /// Finds the line with which systemd keeps the web server from connecting to the program.
    ///
    /// - Parameter address: The path of the program's socket, or its host and port.
    /// - Returns: A problem whose subject is the file and the number of the line; nil if there is no such line.
    package func obstacle(to address: String) -> ConfigurationError.Problem? {
        let isPath = address.hasPrefix("/")
        let family = isPath ? "AF_UNIX" : address.hasPrefix("[") ? "AF_INET6" : "AF_INET"
        let isCut = !isPath && unit.isOn("PrivateNetwork")
        let isRestricted = !unit.missingFamilies(of: [family]).isEmpty
        let key = isRestricted ? "RestrictAddressFamilies" : isCut ? "PrivateNetwork" : nil
        let whole = key.map { "\($0)=\(unit.value($0) ?? "")" }
        guard let text = whole ?? (isPath ? unit.lineHiding(address) : nil) else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let line = unit.line(parts[0], with: key == nil ? parts.last : nil)
        let effect = "systemd keeps the web server from connecting to the program at \(address), so nobody can sign in"
        let remedy = "remove the line (\(unit.edit(line))), then run: systemctl restart \(unit.name)"
        return .init(subject: line?.place ?? unit.name, Advice("\(text): with this line, \(effect)", remedy))
    }

    package func obstacle(to listen: ListenAddress) -> ConfigurationError.Problem? {
        switch listen {
        case .automatic: obstacle(to: ListenAddress.defaultPath)
        case .unix(let path): obstacle(to: path)
        case .loopback(let host, let port): obstacle(to: "\(host):\(port)")
        case .inherited: nil
        }
    }
}
