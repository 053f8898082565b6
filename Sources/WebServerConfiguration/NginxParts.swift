/// The parts of the configuration of nginx for one site; the whole file and the include files consist of the same parts.
///
/// Every name contains the name of the site, because all sites of one nginx share names.
package struct NginxParts {
    let front: FrontEnd
    let name: SiteName
    /// The file with the parameters of every location of linkedin-signin; nil if the `server` block has them.
    let parametersFile: String?

    init(front: FrontEnd, parametersFile: String? = nil) {
        self.front = front
        name = SiteName(front)
        self.parametersFile = parametersFile
    }

    /// The name of the upstream, the zone and the log format, and the prefix of every variable.
    ///
    /// At most 38 characters, so that eight more make the longest name for which nginx's table of variables has room
    /// (`variables_hash_bucket_size`). So no name of a variable adds more than `_subject` does.
    var id: String { "signin_" + name.identifier }

    /// The prefix of the paths of internal locations.
    var internalPrefix: String { "/.linkedin-signin/\(name.identifier)" }

    /// The name of the zone for POST /session; no identifier of a site contains `-`, so it is the only zone of this name.
    var tokenZoneName: String { "\(id)-tokens" }

    /// The log of the callback: the default file of nginx, even for a site with a log of its own.
    static let accessLog = "/var/log/nginx/access.log"

    /// Creates one of the program's own locations.
    ///
    /// - Parameters:
    ///   - match: The words after `location`.
    ///   - action: The action of the program, see `Action`; empty for the route of the path.
    ///   - lines: Lines that only this location has.
    ///   - cache: The lines about the cache.
    ///   - header: The maximum size of the answer's header, in kilobytes; for a page, of the whole answer.
    ///   - body: The maximum size of a request body, in bytes.
    /// - Returns: The block.
    func location(
        _ match: String,
        action: String = "",
        lines: [String] = [],
        cache: [String]? = nil,
        header: Int = pageBuffer,
        body: Int
    ) -> String {
        let isInherited = parametersFile == nil && header == Self.pageBuffer
        let all =
            ["set $\(id)_action \"\(action)\";"] + lines + (cache ?? uncached)
            + (isInherited ? [] : Self.buffers(kilobytes: header)) + ["client_max_body_size \(Self.size(body));"]
            + (parametersFile.map { ["include \($0);"] } ?? []) + ["fastcgi_pass \(id);"]
        return "location \(match) {\n\(all.joined(separator: "\n").indented(by: 4))\n}"
    }

    /// Whether each location has its own line about the cache: nginx rejects a second one beside that of an include file.
    private var hasCacheInLocations: Bool { parametersFile != nil && front.verdictLife != nil }

    private var uncached: [String] { hasCacheInLocations ? ["fastcgi_cache off;"] : [] }

    /// The line about the cache that all locations of linkedin-signin share; empty if each has its own.
    var sharedCache: String { hasCacheInLocations ? "" : "fastcgi_cache off;\n" }

    /// The size of a buffer into which a whole page fits, in kilobytes.
    ///
    /// During a reload, nginx can cut an answer that needs a second buffer: a stopping worker closes a connection that it had
    /// accepted and on which no request had arrived yet, although the answer to its first request is not complete.
    static let pageBuffer = 16

    /// The buffers for answers; the whole header of an answer must fit into one, or nginx answers 502.
    ///
    /// With a cache, its key precedes the header in the same buffer.
    static func buffers(kilobytes: Int) -> [String] {
        ["fastcgi_buffer_size \(kilobytes)k;", "fastcgi_buffers 8 \(kilobytes)k;"]
    }

    /// A number of bytes with the unit of nginx.
    static func size(_ bytes: Int) -> String {
        if bytes == 0 { return "0" }
        if bytes % (1024 * 1024) == 0 { return "\(bytes / 1024 / 1024)m" }
        return bytes % 1024 == 0 ? "\(bytes / 1024)k" : "\(bytes)"
    }
}
