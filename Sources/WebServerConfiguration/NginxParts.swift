/// The parts of nginx's configuration for one site: the whole file and the include files are made of the same ones.
///
/// Every name carries the site's name, because names are shared by all sites of one nginx.
package struct NginxParts {
    let front: FrontEnd
    let name: SiteName
    /// The file with the parameters that every location of linkedin-signin needs; nil where the `server` block has them.
    let parametersFile: String?

    init(front: FrontEnd, parametersFile: String? = nil) {
        self.front = front
        name = SiteName(front)
        self.parametersFile = parametersFile
    }

    /// The name of the upstream, the zone and the log format, and what every variable begins with.
    var id: String { "signin_" + name.identifier }

    /// What the paths of the internal locations begin with.
    var internalPrefix: String { "/.linkedin-signin/\(name.identifier)" }

    /// Where the callback is logged: nginx's usual file, also for a site that has its own.
    static let accessLog = "/var/log/nginx/access.log"

    /// One of the program's own locations.
    ///
    /// - Parameters:
    ///   - match: what follows `location`.
    ///   - action: what the program is asked, see `Action`; empty: the route of the path.
    ///   - lines: what only this location has.
    ///   - header: kilobytes that the header of the answer may take.
    ///   - body: bytes of a request body.
    /// - Returns: the block.
    func location(_ match: String, action: String = "", lines: [String] = [], header: Int = 8, body: Int) -> String {
        let isInherited = parametersFile == nil && header == 8
        let all =
            ["set $\(id)_action \"\(action)\";"] + lines + (isInherited ? [] : Self.buffers(kilobytes: header))
            + ["client_max_body_size \(Self.size(body));"]
            + (parametersFile.map { ["include \($0);"] } ?? []) + ["fastcgi_pass \(id);"]
        return "location \(match) {\n\(all.joined(separator: "\n").indented(by: 4))\n}"
    }

    /// One buffer takes the whole header of an answer, and nginx answers 502 to a larger one.
    static func buffers(kilobytes: Int) -> [String] {
        ["fastcgi_buffer_size \(kilobytes)k;", "fastcgi_buffers 8 \(kilobytes)k;"]
    }

    /// A number of bytes, as people write it.
    static func size(_ bytes: Int) -> String {
        if bytes == 0 { return "0" }
        if bytes % (1024 * 1024) == 0 { return "\(bytes / 1024 / 1024)m" }
        return bytes % 1024 == 0 ? "\(bytes / 1024)k" : "\(bytes)"
    }
}
