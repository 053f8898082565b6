/// The configuration of nginx: a whole file, whose comments say why each line is there.
struct NginxConfiguration {
    let front: FrontEnd

    var text: String {
        [
            introduction,
            "http {",
            [shared, limitZone, upstream, variables].joined(separator: "\n\n").indented(by: 4) + "\n",
            ([plainServer].compactMap(\.self) + [server]).joined(separator: "\n\n").indented(by: 4),
            "}",
        ].joined(separator: "\n")
    }

    private var introduction: String {
        #"""
        # nginx in front of linkedin-signin: a whole configuration, which `nginx -t -c` accepts.
        #
        # Printed for \#(front.origin.origin + front.mount.prefix) by: linkedin-signin print-config nginx
        # It takes your settings, and what you want guarded: --location /members/ --require "email-domain=example.com".
        # Then change \#(front.origin.isSecure ? "the two certificate paths and `root`" : "`root`"). On Debian, paste log_format, zone,
        # maps, `upstream` and `server` into a file of /etc/nginx/sites-enabled instead.

        user www-data;
        worker_processes auto;
        pid /run/nginx.pid;
        error_log /var/log/nginx/error.log;

        events {
            worker_connections 1024;
        }

        """#
    }

    private var shared: String {
        #"""
        include /etc/nginx/mime.types;
        default_type application/octet-stream;
        server_tokens off;

        # $uri, not $request: the query of /oauth holds the authorization code, which belongs in no log.
        log_format pathonly '$remote_addr - [$time_local] "$request_method $uri $server_protocol" '
                            '$status $body_bytes_sent "$http_user_agent"';
        access_log /var/log/nginx/access.log pathonly;
        """#
    }

    private var upstream: String {
        #"""
        upstream linkedin_signin {
            server \#(address);

            # Keeping connections saves about a third of the cost of a request and pins nothing in linkedin-signin.
            # It is off because a restart of linkedin-signin then costs one 502 for each connection that was kept:
            # fastcgi_next_upstream below forbids nginx to send the request again. To turn it on, uncomment both lines.
            #keepalive 16;
        }
        """#
    }

    private var address: String {
        switch front.listener {
        case .automatic, .inherited: "unix:\(ListenAddress.defaultPath)"
        case .unix(let path): "unix:\(path)"
        case .loopback(let host, let port): "\(host):\(port)"
        }
    }

    /// Without a default that is empty, a location that sets none would have nginx warn of an unknown value.
    private var variables: String {
        #"""
        # Empty but where a location sets them: the rule of what is guarded, and what linkedin-signin is asked.
        map "" $signin_require { default ""; }
        map "" $signin_action { default ""; }

        # When what is guarded expires: at once, or as its application says.
        map $sent_http_cache_control $signin_expires { "" -1; default off; }
        """#
    }

    private var server: String {
        let body = [listening, site, guarding, signIn, pastLimit, parameters, limits].joined(separator: "\n\n")
        return "server {\n" + body.indented(by: 4) + "\n}"
    }
}
