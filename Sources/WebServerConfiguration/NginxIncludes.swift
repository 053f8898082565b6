import Settings

/// The include files of nginx for one site.
struct NginxIncludes {
    let front: FrontEnd
    /// Nil for the directories of Debian.
    let directory: String?

    private var parts: NginxParts { NginxParts(front: front, parametersFile: path("parameters")) }

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
        return IncludeFiles(
            files: files,
            server: .nginx,
            guarded: front.guarded,
            steps: steps,
            reload: "nginx -t && systemctl reload nginx"
        )
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

    private func path(_ part: String) -> String {
        // Debian's nginx.conf includes conf.d/*.conf in its `http` block.
        let usual = part == "http" ? "/etc/nginx/conf.d" : "/etc/nginx/snippets"
        return "\(directory ?? usual)/linkedin-signin-\(SiteName(front).fileName)-\(part).conf"
    }
}

extension NginxIncludes {
    private func include(_ part: String) -> String { "include \(path(part));" }

    private func steps(_ new: Set<String>) -> [String] {
        let http =
            directory == nil
            ? "The `http` block needs nothing: nginx.conf includes /etc/nginx/conf.d/*.conf."
            : "In the `http` block, above the `server` blocks:\n\n    \(include("http"))"
        let home = """
            In the same `server` block, but only to use the home page of linkedin-signin as the home page of the site:

                \(include("home"))
            """
        let health = """
            Also there, or in another `server` block of this nginx, but only for load balancers and monitoring:

                \(include("health"))
            """
        let server = "In the `server` block of \(front.origin.origin), once:\n\n    \(include("server"))"
        let parts = [
            ("http", http), ("server", server), ("home", home), ("health", health), ("fastcgi", fastcgi),
            ("proxy", proxy),
        ]
        var steps = parts.filter { new.contains(path($0.0)) }.map(\.1)
        let locations = front.guarded.filter { new.contains(path(Self.guardName($0))) }
        if !locations.isEmpty { steps.append(guards(locations)) }
        if front.guarded.isEmpty, new.contains(path("server")) { steps.append(FrontEnd.withoutGuards) }
        return steps
    }

    private func guards(_ locations: [GuardedLocation]) -> String {
        let blocks = locations.map { location in
            let matches = [location.exact.map { "= \($0)" }, "^~ \(location.prefix)"].compactMap(\.self)
            return matches.map { match in
                "    location \(match) {\n        \(include(Self.guardName(location)))\n    }"
            }.joined(separator: "\n")
        }
        return """
            In the `server` block of \(front.origin.origin), for the guarded locations. If the site already has such a location, add the include
            line to it. Keep ^~: without it, nginx prefers a `location ~ \\.php$` of the site, which has no guard:

            \(blocks.joined(separator: "\n"))
            """
    }

    private var fastcgi: String {
        """
        In each location that passes requests to an application on FastCGI, such as PHP, instead of fastcgi_params or
        fastcgi.conf, to pass the identity of the member:

            \(include("fastcgi"))
        """
    }

    private var proxy: String {
        """
        In each location that passes requests to an application on HTTP, in addition to its own proxy_set_header lines:

            \(include("proxy"))
        """
    }
}
