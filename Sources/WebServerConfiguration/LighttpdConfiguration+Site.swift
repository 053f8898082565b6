import Settings

extension LighttpdConfiguration {
    private var host: String { front.origin.host }

    var listening: String {
        guard front.origin.isSecure else {
            return #"""
                server.bind = "\#(front.plainAddress)"
                server.port = \#(front.origin.port ?? 80)
                """#
        }
        return #"""
            # Plain HTTP only redirects to HTTPS.
            server.port = 80
            $HTTP["scheme"] == "http" {
                url.redirect = ( "" => "\#(front.origin.origin)${url.path}${qsa}" )
                # The default before lighttpd 1.4.75; from then on it is 308.
                url.redirect-code = 301
            }

            $SERVER["socket"] == ":\#(front.origin.port ?? 443)" {
                ssl.engine = "enable"
                ssl.pemfile = "/etc/ssl/certs/\#(host).pem"
                ssl.privkey = "/etc/ssl/private/\#(host).key"
                # The default before lighttpd 1.4.77; from then on it is TLSv1.3.
                ssl.openssl.ssl-conf-cmd = ( "MinProtocol" => "TLSv1.2" )
                setenv.add-response-header = ( "Strict-Transport-Security" => "max-age=31536000" )
            }
            """#
    }

    /// The pages of the program, with the page at the mount's own path only if `takesHome` is set.
    func signIn(takesHome: Bool) -> String {
        [routes(takesHome: takesHome), withoutSlash, callback].compactMap(\.self).joined(separator: "\n\n")
    }

    /// The home page of the program at `/`, for a site without a home page of its own.
    ///
    /// Nil if the mount has a path: the program always answers there.
    var home: String? {
        guard front.mount.prefix.isEmpty else { return nil }
        return #"""
            # The home page of linkedin-signin is the home page of the site. The line comes after the line of the site's file.
            $HTTP["url"] == "/" {
            \#(program.indented(by: 4))
            }
            """#
    }

    /// The paths for load balancers and monitoring, which only this machine may use.
    var health: String {
        let routes = FrontEnd.healthRoutes.map { $0.dropFirst() }.joined(separator: "|")
        let prefix = front.mount.prefix.replacing(".", with: #"\."#)
        return #"""
            # For load balancers and monitoring: whether the process works, and whether the store and LinkedIn's keys can be
            # used too. Only this machine may request these paths: add the address of each other machine. In an include
            # file, add it to a copy, because the next --write replaces the file.
            $HTTP["url"] =~ "^\#(prefix)/(?:\#(routes))\z" {
            \#(program.indented(by: 4))
                $HTTP["remoteip"] !~ "^(?:127\.0\.0\.1|::1)\z" { url.access-allow = ( "//" ) }
            }
            """#
    }

    private func routes(takesHome: Bool) -> String {
        let routes = front.visitedRoutes.map { $0.dropFirst() }.filter { !$0.isEmpty }.joined(separator: "|")
        let prefix = front.mount.prefix.replacing(".", with: #"\."#)
        let place =
            front.mount.prefix.isEmpty
            ? "at the root of the site. With SIGNIN_BASE_URL=\(front.origin.origin)/account: ^/account/(...)?\\z"
            : "below the path of SIGNIN_BASE_URL."
        return #"""
            # linkedin-signin, \#(place)
            # \z, not $, which also matches before a line feed. These lines come last, so that they also apply inside a
            # guarded location.
            $HTTP["url"] =~ "^\#(prefix)/(\#(routes))\#(takesHome ? "?" : "")\z" {
                # No effect in lighttpd: check --lighttpd reports a guard that is in this list and not in the site.
                \#(LighttpdSite.variable) = (
                    "site" => "\#(front.site)",\#(directory.map { "\n        \"directory\" => \"\($0)\"," } ?? "")
                    "guards" => (
            \#(guarded.map { "\"\($0.path)\" => \"\($0.rule)\"," }.joined(separator: "\n").indented(by: 12))
                    ),
                )
            \#(program.indented(by: 4))
            }
            """#
    }

    private var program: String {
        #"""
        fastcgi.server = ( "/" => (
            "linkedin-signin" => (
        \#(backend.members.indented(by: 8))
                # Do not look for files below the document root.
                "check-local" => "disable",
                # Pass the whole path to the program.
                "fix-root-scriptname" => "enable",
                # Longer than linkedin-signin waits for LinkedIn (SIGNIN_TOTAL_TIMEOUT for each of several calls),
                # so that visitors see its own page about the fault.
                "read-timeout" => \#(front.readTimeout),
            )
        ) )
        """#
    }

    /// The redirect from `/account` to `/account/`, which nginx does by itself; nil at the root of the site.
    private var withoutSlash: String? {
        let prefix = front.mount.prefix
        guard !prefix.isEmpty else { return nil }
        return #"""
            $HTTP["url"] == "\#(prefix)" {
                url.redirect = ( "" => "\#(prefix)/${qsa}" )
                # The default before lighttpd 1.4.75; from then on it is 308.
                url.redirect-code = 301
            }
            """#
    }

    private var callback: String {
        #"""
        # The query of the callback contains the authorization code, which must not be in any log. lighttpd would also write
        # it into its error log while linkedin-signin is down.
        $HTTP["url"] \#(front.callbackPattern.map { "=~ \"\($0)\\z\"" } ?? "== \"\(front.mount.path("/oauth"))\"") {
            server.errorlog = "/dev/null"
            accesslog.format = "%h %V %u %t \"%m %U %H\" %>s %b \"-\" \"%{User-Agent}i\""
        }
        """#
    }

    /// The address of linkedin-signin, as members of an entry of `fastcgi.server` and as `LighttpdScope.gateways` reads it.
    var backend: (members: String, address: String) {
        switch front.listener {
        case .automatic, .inherited:
            return (#""socket" => "\#(ListenAddress.defaultPath)","#, ListenAddress.defaultPath)
        case .unix(let path): return (#""socket" => "\#(path)","#, path)
        case .loopback(let host, let port):
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            return ("\"host\" => \"\(bare)\",\n\"port\" => \(port),", "\(bare):\(port)")
        }
    }
}
