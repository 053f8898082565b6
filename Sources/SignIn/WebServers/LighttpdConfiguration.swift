/// The configuration of lighttpd: a whole file, whose comments say why each line is there.
struct LighttpdConfiguration {
    let front: FrontEnd

    var text: String {
        [introduction, files, parsing, site, listening, guarding, signIn].joined(separator: "\n\n")
    }

    private var introduction: String {
        let isSecure = front.origin.isSecure
        let needs = isSecure ? ", and on Debian lighttpd-mod-openssl" : ""
        let changes = (isSecure ? "the two certificate paths and " : "") + "server.document-root"
        let more = isSecure ? ["openssl", "redirect"] : []
        let modules = more + ["access", "accesslog", "setenv", "expire", "fastcgi"]
        return #"""
            # lighttpd in front of linkedin-signin: a whole configuration, which `lighttpd -tt -f` accepts.
            #
            # Printed for \#(front.origin.origin + front.mount.prefix) by: linkedin-signin print-config lighttpd
            # It takes your settings, and what you want guarded: --location /members/ --require "email-domain=example.com".
            # Then change \#(changes).
            # Needs lighttpd 1.4.65 or later\#(needs).

            # The order counts: mod_setenv hands the rule to mod_fastcgi, which guards nothing that a module before it
            # answers. So add mod_proxy, mod_cgi and their like behind it.
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

    private var parsing: String {
        #"""
        # One spelling of every path, before anything is decided on it. Applications find it in SCRIPT_NAME and PATH_INFO;
        # REQUEST_URI is as it was sent, /private/..%2fopen/ for what is /open/ here. For one that goes by REQUEST_URI and is
        # guarded in part, "url-path-dotseg-remove" => "disable", "url-path-dotseg-reject" => "enable" refuses such paths,
        # and those with a doubled slash.
        server.http-parseopts = (
            "header-strict" => "enable",
            "host-strict" => "enable",
            "host-normalize" => "enable",
            "url-normalize-unreserved" => "enable",
            "url-normalize-required" => "enable",
            "url-ctrls-reject" => "enable",
            "url-path-2f-decode" => "enable",
            "url-path-dotseg-remove" => "enable",
        )
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
