import Settings

/// The include files of nginx for one site.
struct NginxIncludes {
    private let front: FrontEnd
    /// Nil for the directories of Debian.
    private let directory: String?
    private let parts: NginxParts

    init(front: FrontEnd, directory: String?) {
        self.front = front
        self.directory = directory
        parts = NginxParts(front: front, parametersFile: Self.path("parameters", of: front, in: directory))
    }

    var files: IncludeFiles {
        var files = [
            file("http", parts.http),
            file("parameters", parts.parameters),
            file("server", parts.server),
        ]
        if let home = parts.home { files.append(file("home", home)) }
        files.append(file("health", parts.health))
        files += front.guarded.map { file(Self.guardName($0), parts.guarding($0)) }
        files += [file("fastcgi", parts.fastcgiApplication), file("proxy", parts.proxiedApplication)]
        return IncludeFiles(files: files, instructions: instructions)
    }

    /// `guard-a+b` for /a/b/; no plain path contains `+`, so two locations never share a file.
    static func guardName(_ location: GuardedLocation) -> String {
        let words = location.path.split(separator: "/").joined(separator: "+")
        return words.isEmpty ? "guard" : "guard-" + words
    }

    private func file(_ part: String, _ body: String) -> IncludeFiles.File {
        IncludeFiles.File(
            path: path(part),
            mark: IncludeFiles.mark(server: .nginx, site: front.site),
            body: body
        )
    }

    private func path(_ part: String) -> String { Self.path(part, of: front, in: directory) }

    private static func path(_ part: String, of front: FrontEnd, in directory: String?) -> String {
        // Debian's nginx.conf includes conf.d/*.conf in its `http` block.
        let usual = part == "http" ? "/etc/nginx/conf.d" : "/etc/nginx/snippets"
        return "\(directory ?? usual)/linkedin-signin-\(SiteName(front).fileName)-\(part).conf"
    }
}

extension NginxIncludes {
    private func include(_ part: String) -> String { "include \(path(part));" }

    private var instructions: String {
        let http =
            directory == nil
            ? "The `http` block needs nothing: nginx.conf includes /etc/nginx/conf.d/*.conf."
            : "In the `http` block, above the `server` blocks:\n\n    \(include("http"))"
        let home = """
            Also there, but only to use the home page of linkedin-signin as the home page of the site:

                \(include("home"))
            """
        let health = """
            Also there, or in another `server` block of this nginx, but only for load balancers and monitoring:

                \(include("health"))
            """
        return [
            http,
            "In the `server` block of \(front.origin.origin), once:\n\n    \(include("server"))",
            parts.home == nil ? nil : home,
            health,
            guards,
            applications,
            "Then: nginx -t && systemctl reload nginx",
        ].compactMap(\.self).joined(separator: "\n\n")
    }

    private var guards: String {
        guard !front.guarded.isEmpty else { return FrontEnd.withoutGuards }
        let blocks = front.guarded.map { location in
            let matches = [location.exact.map { "= \($0)" }, "^~ \(location.prefix)"].compactMap(\.self)
            return matches.map { match in
                "    location \(match) {\n        \(include(Self.guardName(location)))\n    }"
            }.joined(separator: "\n")
        }
        return """
            In the same `server` block, for the guarded locations. If the site already has such a location, add the include
            line to it. Keep ^~: without it, nginx prefers a `location ~ \\.php$` of the site, which has no guard:

            \(blocks.joined(separator: "\n"))
            """
    }

    private var applications: String {
        """
        In each location that passes requests to an application on FastCGI, such as PHP, instead of fastcgi_params or
        fastcgi.conf, to pass the identity of the member:

            \(include("fastcgi"))

        In each location that passes requests to an application on HTTP, in addition to its own proxy_set_header lines:

            \(include("proxy"))
        """
    }
}
