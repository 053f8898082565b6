import Settings

/// The include files of lighttpd for one site.
struct LighttpdIncludes {
    let front: FrontEnd
    /// Nil for the directories of Debian.
    let directory: String?

    private var configuration: LighttpdConfiguration {
        LighttpdConfiguration(front: front, directory: directory ?? Self.usualDirectory)
    }

    /// The directory of Debian for the files that a site includes.
    static let usualDirectory = "/etc/lighttpd"

    var files: IncludeFiles {
        let guards = configuration.guarded.map { location in
            // Earlier versions named these files as those of nginx, without a number, so their order was wrong.
            let former = NginxIncludes.guardName(location)
            return file(Self.guardName(location), formerly: former, configuration.includedGuard(location))
        }
        let home = configuration.home.map { [file("home", $0)] } ?? []
        let files =
            [file("global", global)] + guards + [file("site", site)] + home + [file("health", configuration.health)]
        return IncludeFiles(
            files: files,
            server: .lighttpd,
            guarded: front.guarded,
            steps: steps,
            reload: "lighttpd -tt -f /etc/lighttpd/lighttpd.conf && systemctl reload lighttpd"
        )
    }

    private var global: String {
        #"""
        # Settings for all sites of this lighttpd. The order of modules matters: mod_fastcgi does not guard requests that a
        # module before it answers. lighttpd loads each module only once.
        server.modules += ( "mod_access", "mod_redirect", "mod_setenv", "mod_expire", "mod_fastcgi" )

        \#(configuration.parsing(":="))
        """#
    }

    private var site: String {
        [configuration.protection, configuration.signIn(takesHome: configuration.home == nil)].joined(separator: "\n\n")
    }

    /// `guard-02-a+b` for /a/b/; no plain path contains `+`, so two locations never share a file.
    ///
    /// lighttpd uses the last guard that applies. With the number of segments, names sort in the right order: a location
    /// has more segments than each location around it.
    static func guardName(_ location: GuardedLocation) -> String {
        let words = location.path.split(separator: "/")
        let depth = String(words.count)
        let number = String(repeating: "0", count: max(0, 2 - depth.count)) + depth
        return (["guard", number] + (words.isEmpty ? [] : [words.joined(separator: "+")])).joined(separator: "-")
    }

    private func file(_ part: String, formerly former: String? = nil, _ body: String) -> IncludeFiles.File {
        let mark = IncludeFiles.mark(server: .lighttpd, site: front.site)
        return IncludeFiles.File(path: path(part), formerPath: former.map(path), mark: mark, body: body)
    }

    private func path(_ part: String) -> String { Self.path(part, of: SiteName(front).fileName, in: directory) }

    static func path(_ part: String, of site: String, in directory: String?) -> String {
        let name = "linkedin-signin-\(site)-\(part).conf"
        if let directory { return "\(directory)/\(name)" }
        // Debian's lighttpd.conf includes conf-enabled/*.conf in order; 10-proxy.conf and similar files come later.
        return usualDirectory + (part == "global" ? "/conf-enabled/09-\(name)" : "/\(name)")
    }
}

extension LighttpdIncludes {
    private func include(_ part: String) -> String { "include \"\(path(part))\"" }

    private func steps(_ new: Set<String>) -> [String] {
        let global =
            directory == nil
            ? "The top level needs nothing: lighttpd.conf includes /etc/lighttpd/conf-enabled/*.conf."
            : """
            At the top level, below server.http-parseopts and above every line that loads mod_proxy, once:

                \(include("global"))
            """
        let names = configuration.guarded.map(Self.guardName) + ["site"]
        let site = """
            In the configuration of \(front.origin.origin), as its last lines and in this order: in its $HTTP["host"] block, or at
            the top level if lighttpd serves no other site. One include line with "…-guard-*.conf" for all guards is fine too.

            \(names.map { "    " + include($0) }.joined(separator: "\n"))
            """
        let home = """
            After them, but only to use the home page of linkedin-signin as the home page of the site:

                \(include("home"))
            """
        let health = """
            After them, but only for load balancers and monitoring:

                \(include("health"))
            """
        let withoutGuards = front.guarded.isEmpty ? [(["site"], FrontEnd.withoutGuards)] : []
        let parts = [(["global"], global), (names, site)] + withoutGuards + [(["home"], home), (["health"], health)]
        return parts.filter { $0.0.contains { new.contains(path($0)) } }.map(\.1)
    }
}
