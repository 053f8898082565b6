extension NginxConfiguration {
    private var host: String { front.origin.host }

    /// Where plain HTTP leads to HTTPS; nil for a site on loopback, which has no HTTPS.
    var plainServer: String? {
        guard front.origin.isSecure else { return nil }
        return #"""
            # Plain HTTP: nothing but the way to HTTPS.
            server {
                listen 80;
                listen [::]:80;
                server_name \#(host);
                return 301 \#(front.origin.origin)$request_uri;
            }
            """#
    }

    var listening: String {
        guard front.origin.isSecure else {
            // Plain HTTP is for this machine alone.
            let address = host == "localhost" ? "127.0.0.1" : host
            return "listen \(address):\(front.origin.port ?? 80);\nserver_name \(host);"
        }
        let port = front.origin.port ?? 443
        return #"""
            # From nginx 1.25.1 on: `listen \#(port) ssl;` and `http2 on;`.
            listen \#(port) ssl http2;
            listen [::]:\#(port) ssl http2;
            server_name \#(host);

            ssl_certificate /etc/ssl/certs/\#(host).pem;
            ssl_certificate_key /etc/ssl/private/\#(host).key;
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_session_cache shared:tls:4m;
            ssl_session_tickets off;

            # A location with an add_header of its own inherits none: repeat this line there.
            add_header Strict-Transport-Security "max-age=31536000" always;
            """#
    }

    var site: String {
        #"""
        # Your site. Whatever is neither guarded nor one of the exact paths below never reaches linkedin-signin.
        root /var/www/html;

        # As nginx does it anyway: many applications read X_Auth_Subject and X.Auth.Subject as X-Auth-Subject. Of both
        # lines, nginx heeds those of the first server of a port.
        underscores_in_headers off;
        ignore_invalid_headers on;

        # An application that is reached here and in a guarded location must not take these from a client. A location
        # with a proxy_set_header of its own inherits none: repeat the lines there. For an application on FastCGI they
        # are fastcgi_param HTTP_X_AUTH_SUBJECT "" and so on.
        proxy_set_header X-Auth-Subject "";
        proxy_set_header X-Auth-Email "";
        proxy_set_header X-Auth-Name "";

        # nginx takes dot segments out of a path before it chooses a location, and hands the path to an application as
        # it was sent: what is /open/ here may be /private/..%2fopen/ there. Browsers send no dot segments.
        if ($request_uri ~* "^[^?]*(?:/|\\\\|%2f|%5c)(?:\.|%2e){1,2}(?:[/?;#\\\\]|%2f|%5c|$)") {
            return 400;
        }
        """#
    }

    var signIn: String {
        let routes = FrontEnd.visitedRoutes.map { route in
            switch route {
            case "/login": limited(route)
            case "/oauth": limited(route, also: silence)
            default: "location = \(front.mount.path(route)) { set $signin_action \"\"; fastcgi_pass linkedin_signin; }"
            }
        }
        let place =
            front.mount.prefix.isEmpty
            ? "at the root of the site. With SIGNIN_BASE_URL=\(front.origin.origin)/account these are\n# /account/, /account/login and so on."
            : "below the path of SIGNIN_BASE_URL."
        let action = "# The action is emptied: a redirect within nginx would bring along that of a guarded location."
        return "# linkedin-signin, \(place)\n\(action)\n" + routes.joined(separator: "\n")
    }

    private var silence: String {
        #"""
        # nginx puts the whole request line into an error's text, and here that holds the code.
        error_log /dev/null crit;

        """#
    }

    var parameters: String {
        #"""
        # Every parameter linkedin-signin reads. Do not include the distribution's fastcgi_params as well: nginx would
        # send the names of both lists twice. A location that sets a fastcgi_param of its own inherits none, so what
        # differs from location to location is a variable here.
        fastcgi_param SIGNIN_ACTION $signin_action;
        fastcgi_param SIGNIN_REQUIRE $signin_require;
        fastcgi_param REQUEST_METHOD $request_method;
        fastcgi_param SCRIPT_NAME $uri;
        fastcgi_param QUERY_STRING $query_string;
        fastcgi_param REQUEST_URI $request_uri;
        fastcgi_param CONTENT_TYPE $content_type;
        fastcgi_param CONTENT_LENGTH $content_length;
        fastcgi_param SERVER_PROTOCOL $server_protocol;
        fastcgi_param GATEWAY_INTERFACE CGI/1.1;
        fastcgi_param REMOTE_ADDR $remote_addr;
        # A client's `Proxy:` header must not become a setting of any CGI program (httpoxy). Empty: not sent at all.
        fastcgi_param HTTP_PROXY "";
        """#
    }

    var limits: String {
        #"""
        # No form of linkedin-signin is larger; raise it in the locations of your site that take uploads.
        client_max_body_size \#(Self.size(front.ownBody));

        # Off: see `keepalive` above.
        #fastcgi_keep_conn on;

        # One buffer takes the whole header block of an answer, and nginx answers 502 to a larger one. The headers
        # of linkedin-signin stay below 3.5 KB, so the default of one page would do; 8k leaves room for a header
        # or two that you add. Buffering stays on: it frees linkedin-signin while a slow client still reads.
        fastcgi_buffer_size 8k;
        fastcgi_buffers 8 8k;

        # A sign-in is used up when it is first seen: the same request must not be sent a second time.
        fastcgi_next_upstream off;

        # Longer than linkedin-signin waits for LinkedIn (SIGNIN_TOTAL_TIMEOUT for each call, of which a
        # sign-in may need several), so that its own page explains the fault.
        fastcgi_connect_timeout 5s;
        fastcgi_read_timeout \#(front.readTimeout)s;

        # The pages for 401, 403 and 404 are linkedin-signin's own.
        fastcgi_intercept_errors off;
        """#
    }

    /// A number of bytes, as people write it.
    static func size(_ bytes: Int) -> String {
        if bytes % (1024 * 1024) == 0 { return "\(bytes / 1024 / 1024)m" }
        return bytes % 1024 == 0 ? "\(bytes / 1024)k" : "\(bytes)"
    }
}
