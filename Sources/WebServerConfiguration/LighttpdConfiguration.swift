import Settings

/// The configuration of lighttpd: a whole file, whose comments say why each line is there.
package struct LighttpdConfiguration {
    let front: FrontEnd

    var text: String {
        [introduction, files, parsing("="), versions, site, listening, protection, guarding, signIn].joined(
            separator: "\n\n"
        )
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
            # lighttpd in front of linkedin-signin: a whole configuration, which `lighttpd -tt -f` accepts.
            #
            # Printed for \#(front.origin.origin + front.mount.prefix) by: linkedin-signin print-config lighttpd
            # It takes your settings, and what you want guarded: --location /members/ --require "email-domain=example.com".
            # Then change \#(changes).
            # Needs lighttpd 1.4.65 or later\#(needs). The same lines work in every later release;
            # comments name the releases that treat a line differently.

            # The order counts: mod_access refuses before any other module answers, mod_setenv hands the rule to mod_fastcgi,
            # and mod_fastcgi does not guard what a module before it answers. So add mod_proxy and mod_cgi behind it.
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

        # %U, not %r: the query of /oauth holds the authorization code, which belongs in no log.
        accesslog.filename = "/var/log/lighttpd/access.log"
        accesslog.format = "%h - %t \"%m %U %H\" %s %b \"%{User-Agent}i\""
        """#
    }

    /// How lighttpd reads paths.
    ///
    /// - Parameter sign: `=`, or `:=` where another file may have set the same.
    /// - Returns: the lines of the setting.
    func parsing(_ sign: String) -> String {
        #"""
        # One spelling of every path, before anything is decided on it. An application finds it in SCRIPT_NAME and PATH_INFO,
        # and in REQUEST_URI the address as it was sent. So that both mean the same, a path with dot segments gets 400:
        # /private/..%2fopen/ would be /open/ here, and may be /private/ to the application. Doubled slashes get 400 too.
        # url-normalize-required is off: before lighttpd 1.4.85 it takes the last ? of an address for the start of the
        # query. url-path-dotseg-remove is off, because before 1.4.85 it is an error beside -reject.
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
        # HTTP/2 is off: lighttpd answers an upload without a session before it arrives, and then ends the stream with
        # NO_ERROR (RFC 9113 8.1). curl 7.88 reports that as a stream error, in place of the answer. Browsers do not.
        server.feature-flags = ( "server.h2proto" => "disable" )
        """#
    }

    private var site: String {
        #"""
        # Your site. Whatever is neither guarded nor one of the exact paths below never reaches linkedin-signin.
        server.document-root = "/var/www/html"
        index-file.names = ( "index.html" )
        include_shell "/usr/share/lighttpd/create-mime.conf.pl"

        # No form of linkedin-signin is larger (in KB); lighttpd reads a whole body before it passes the request on.
        server.max-request-size = \#(Self.kilobytes(front.ownBody))
        """#
    }

    /// Kilobytes, not less than the bytes.
    static func kilobytes(_ bytes: Int) -> Int { (bytes + 1023) / 1024 }
}
