import Settings

/// The whole configuration file of lighttpd; its comments give the reason for each line.
package struct LighttpdConfiguration {
    let front: FrontEnd
    /// The directory of the include files; nil for the whole configuration.
    var directory: String?

    var text: String {
        let common = [introduction, files, parsing("="), versions, site, listening, protection]
        return (common + [guarding, signIn(takesHome: true), health]).joined(separator: "\n\n")
    }

    private var introduction: String {
        let isSecure = front.origin.isSecure
        let needs = isSecure ? ", and on Debian lighttpd-mod-openssl" : ""
        let changes = (isSecure ? "the two certificate paths and " : "") + "server.document-root"
        let redirects = isSecure || !front.mount.prefix.isEmpty
        let modules =
            (isSecure ? ["openssl"] : []) + (redirects ? ["redirect"] : [])
            + ["access", "accesslog", "setenv", "expire", "fastcgi"]
        return #"""
            # A whole configuration of lighttpd in front of linkedin-signin. Check it with: lighttpd -tt -f FILE
            #
            # Printed for \#(front.origin.origin + front.mount.prefix) by: linkedin-signin print-config lighttpd
            # The command uses your settings. To guard other locations: --location /members/ --require "email-domain=example.com".
            # Before use, change \#(changes).
            # For a site that lighttpd serves already, `print-config lighttpd --write` writes files to include instead.
            # Needs lighttpd 1.4.65 or later\#(needs). The same lines work in every later release;
            # comments name the releases that treat a line differently.

            # The order matters: mod_access rejects requests before another module answers, mod_setenv passes the rule to
            # mod_fastcgi, and mod_fastcgi does not guard requests that a module before it answers. Add mod_proxy and mod_cgi
            # after it.
            server.modules = (
            \#(modules.map { "    \"mod_\($0)\"," }.joined(separator: "\n"))
            )
            """#
    }

    private var files: String {
        #"""
        server.username = "www-data"
        server.groupname = "www-data"
        server.pid-file = "/run/lighttpd.pid"
        server.errorlog = "/var/log/lighttpd/error.log"
        server.upload-dirs = ( "/var/cache/lighttpd/uploads" )
        server.tag = "lighttpd"

        # %U, not %r: the query of /oauth contains the authorization code, which must not be in any log.
        accesslog.filename = "/var/log/lighttpd/access.log"
        accesslog.format = "%h - %t \"%m %U %H\" %s %b \"%{User-Agent}i\""
        """#
    }

    /// The setting for how lighttpd reads paths.
    ///
    /// - Parameter sign: `=`, or `:=` if another file may have the same setting.
    /// - Returns: The lines of the setting.
    func parsing(_ sign: String) -> String {
        #"""
        # lighttpd decides on one spelling of every path. An application finds that spelling in SCRIPT_NAME and PATH_INFO, and
        # the address as the client sent it in REQUEST_URI. Both must mean one path, so lighttpd rejects dot segments (400):
        # /private/..%2fopen/ would be /open/ for lighttpd and may be a path below /private/ for the application. Doubled
        # slashes get 400 too. url-normalize-required is off, because with it lighttpd before 1.4.85 splits a URL at its
        # last ? into path and query. url-path-dotseg-remove is off, because before 1.4.85 it is an error beside -reject.
        server.http-parseopts \#(sign) (
            "header-strict" => "enable",
            "host-strict" => "enable",
            "host-normalize" => "enable",
            "url-normalize-unreserved" => "enable",
            "url-normalize-required" => "disable",
            "url-ctrls-reject" => "enable",
            "url-path-2f-decode" => "enable",
            "url-path-dotseg-remove" => "disable",
            "url-path-dotseg-reject" => "enable",
        )
        """#
    }

    private var versions: String {
        #"""
        # HTTP/2 is off: if a session has ended, lighttpd responds to an upload before all of it has arrived, and then ends
        # the stream with NO_ERROR (RFC 9113 8.1). curl 7.88 reports this as a stream error and discards the response. Chromium
        # shows the response, so you can remove this line if only browsers upload.
        server.feature-flags = ( "server.h2proto" => "disable" )
        """#
    }

    private var site: String {
        #"""
        # Your site. linkedin-signin gets only requests for guarded locations and for the exact paths below.
        server.document-root = "/var/www/html"
        index-file.names = ( "index.html" )
        include_shell "/usr/share/lighttpd/create-mime.conf.pl"

        # The largest form of linkedin-signin, in KB; lighttpd reads a whole body before it passes the request on.
        server.max-request-size = \#(Self.kilobytes(front.ownBody))
        """#
    }

    /// Converts bytes to kilobytes, rounded up.
    static func kilobytes(_ bytes: Int) -> Int { (bytes + 1023) / 1024 }
}

extension LighttpdConfiguration {
    /// The lines that reject requests in every location: those with identity headers, and those with paths that an
    /// application could read as another path.
    var protection: String {
        #"""
        # Rejected everywhere with 403: requests with an identity header, and paths that some applications read as other paths,
        # because they see dot segments in /a/..;/b or read \ as /. No path ends with two slashes here, so this
        # url.access-allow admits no path. This url.access-allow and a url.access-deny of your site do not affect each other.
        # CGI also turns X!Auth!Subject into HTTP_X_AUTH_SUBJECT, and that spelling is not in the list: an application must not
        # read the identity from HTTP_X_AUTH_SUBJECT.
        $HTTP["url"] =~ "\\|/\.{1,2}(?:[/?;#]|\z)" {
            url.access-allow = ( "//" )
            # Without these lines, an error handler of your site would get the rejected path.
            server.error-handler = ""
            server.error-handler-404 = ""
        }
        \#(identityHeaders.map { "$REQUEST_HEADER[\"\($0)\"] != \"\" { url.access-allow = ( \"//\" ) }" }.joined(separator: "\n"))
        """#
    }

    /// Likely spellings of identity headers that CGI turns into `HTTP_X_AUTH_SUBJECT`.
    private var identityHeaders: [String] {
        let separators = ["-", "_", "."]
        return front.identities.flatMap { field in
            let parts = field.header.split(separator: "-", maxSplits: 2)
            return separators.flatMap { first in
                separators.map { second in
                    "\(parts[0])\(first)\(parts[1])\(second)\(parts[2].replacing("-", with: second))"
                }
            }
        }
    }
}
