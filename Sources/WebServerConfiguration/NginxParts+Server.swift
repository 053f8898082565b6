import Settings

extension NginxParts {
    /// The lines for the `server` block of the site; outside the program's own paths they only reject requests.
    var server: String {
        ([refusals, spellings, routes, later] + busy + tooLarge + [guardLocations]).joined(separator: "\n\n")
    }

    private var refusals: String {
        #"""
        # For the guards: if no `server` block has this line, nginx does not start.
        set $\#(id)_server on;

        # No client may send the headers that tell an application who is signed in. nginx runs these lines before it
        # chooses a location, so no location can undo them. They do not apply to the callback: linkedin-signin ignores
        # the headers there, and for a rejected callback, the log of the site would contain the query. Before nginx
        # 1.23, these lines test only the first header of each name: every location that passes requests to an
        # application must set or remove these headers too.
        set $\#(id)_claims "$http_x_auth_subject$http_x_auth_email$http_x_auth_name";
        \#(claimRefusals)
        if ($uri \#(front.callbackPattern.map { "~ \"\($0)\\z\"" } ?? "= \(front.mount.path("/oauth"))")) {
            set $\#(id)_claims "";
        }
        if ($\#(id)_claims != "") {
            return 400;
        }
        """#
    }

    /// Each in a line of its own, because the name of a claim can be long.
    private var claimRefusals: String {
        front.identities.filter { !IdentityField.always.contains($0) }.map { field in
            "if ($http_\(field.nginxName) != \"\") {\n    set $\(id)_claims on;\n}"
        }.joined(separator: "\n")
    }

    private var spellings: String {
        #"""
        # nginx chooses a location by one spelling of a path, but passes the path to an application as the client
        # sent it, and the application may read another path. An application reads /private/ from /x/..%2fprivate/ if
        # the application removes dot segments, from //x/private/ if it reads the path as a URL, and from /private\ if
        # it reads \ as /. Browsers send no dot segments and no \. If a link of your site begins with //, remove one
        # slash.
        if ($request_uri ~* "^(?:/(?:/|%2f)|[^?]*(?:\\\\|%5c|(?:/|%2f)(?:\.|%2e){1,2}(?:[/?;#]|%2f|$)))") {
            return 400;
        }

        # An application may read the host and the path as one URL: `Host: x\private\?` would then change the path, so
        # nginx rejects a host with other characters.
        set $\#(id)_host "$host$http_host";
        if ($\#(id)_host ~ "[^][\w.:-]") {
            return 400;
        }
        """#
    }

    private var routes: String {
        let blocks = front.visitedRoutes.filter { $0 != "/" || !front.mount.prefix.isEmpty }.map(route)
        return
            "# The paths of linkedin-signin. An internal redirect keeps variables, so each path resets the action of a guard.\n"
            + blocks.joined(separator: "\n")
    }

    /// The location of the home page at the root of the site; nil if the mount is not the root.
    var home: String? {
        guard front.mount.prefix.isEmpty else { return nil }
        return "# The home page of linkedin-signin as the home page of the site.\n" + route("/")
    }

    /// The locations for load balancers and monitoring, which only this machine may use.
    var health: String {
        let allowed = ["allow 127.0.0.1;", "allow ::1;", "deny all;"]
        let blocks = FrontEnd.healthRoutes.map { path in
            location("= \(front.mount.path(path))", lines: allowed + [closed, "access_log off;"], body: front.ownBody)
        }
        return #"""
            # For load balancers and monitoring: whether the process works, and whether the store and LinkedIn's keys can be
            # used too. Only this machine may request these paths: add an `allow` line for each other machine. If these
            # lines are in an include file, change a copy of the file, because the next --write replaces the file.
            \#(blocks.joined(separator: "\n"))
            """#
    }

    private func route(_ route: String) -> String {
        let lines =
            switch route {
            case "/login": limit
            case "/oauth": callbackLimit + quiet
            case _ where front.callbacks.contains(route): callbackLimit + quiet
            case "/session" where front.acceptsTokens: tokenLimit
            default: [String]()
            }
        return location("= \(front.mount.path(route))", lines: lines, body: front.ownBody)
    }

    private var limit: [String] { limit(zone: id, page: "@\(id)_later") }
    private var tokenLimit: [String] { limit(zone: tokenZoneName, page: "@\(id)_busy") }
    /// A provider sends a logout token for each session that it ends, and perhaps only once.
    private var callbackLimit: [String] { limit(zone: callbackZoneName, burst: 300, page: "@\(id)_later") }

    private func limit(zone: String, burst: Int = 60, page: String) -> [String] {
        [
            "limit_req zone=\(zone) burst=\(burst) nodelay;", "limit_req_status 429;", "limit_req_log_level info;",
            "error_page 429 \(page);",
        ]
    }

    /// Keeps the query out of logs: nginx writes the whole request line into its error log, and the site into its log.
    private var quiet: [String] {
        [
            "# The query contains the authorization code, which must not be in any log.",
            "error_log /dev/null crit;", "access_log \(Self.accessLog) \(id);",
        ]
    }

    /// The line of the `server` block that a location with other add_header lines does not inherit; empty if the block of the
    /// whole configuration has no such line, and for include files.
    private var strictTransport: String {
        guard parametersFile == nil, front.origin.isSecure else { return "" }
        return "    add_header Strict-Transport-Security \"max-age=31536000\" always;\n"
    }

    /// The answer to a POST /session over the limit, for a program; empty if that request does not read a token.
    private var busy: [String] {
        guard front.acceptsTokens else { return [] }
        return [
            #"""
            # The client has reached the limit of POST /session.
            location @\#(id)_busy {
                default_type application/json;
            \#(strictTransport)    add_header Cache-Control no-store always;
                add_header Retry-After 5 always;
                return 429 '{"error":"too_many_requests"}';
            }
            """#
        ]
    }

    /// The answer to a POST /session whose token nginx does not take, for a program; empty as `busy`.
    private var tooLarge: [String] {
        guard front.acceptsTokens else { return [] }
        return [
            #"""
            # nginx rejects a header field over 8 KB (large_client_header_buffers) before it chooses a location. For an access
            # token the answer is that of linkedin-signin to every token over 8 KB. This line hides the error_page lines of
            # the `http` block: repeat those here.
            error_page 494 = @\#(id)_too_large;
            location @\#(id)_too_large {
                if ($uri != "\#(front.mount.path("/session"))") {
                    return 400;
                }
                default_type application/json;
            \#(strictTransport)    add_header Cache-Control no-store always;
                add_header WWW-Authenticate 'Bearer realm="\#(front.mount.origin)", error="invalid_token"' always;
                return 401 '{"error":"invalid_token"}';
            }
            """#
        ]
    }

    private var later: String {
        #"""
        # The client has reached the limit. linkedin-signin has not seen the request, so the same URL works later.
        location @\#(id)_later {
        \#(quiet.joined(separator: "\n").indented(by: 4))
            default_type "text/html; charset=utf-8";
        \#(strictTransport)    add_header Cache-Control no-store always;
            add_header Content-Security-Policy "default-src 'none'; img-src data:; frame-ancestors 'none'" always;
            add_header Referrer-Policy no-referrer always;
            add_header X-Content-Type-Options nosniff always;
            add_header Retry-After 5 always;
            return 429 "<!DOCTYPE html>
        <html lang=en><title>Please wait</title><meta name=viewport content='width=device-width'>
        <meta name=color-scheme content='light dark'><link rel=icon href=data:,>
        <p>Too many sign-ins from your network. Reload this page in a few seconds.
        <p lang=de>Zu viele Anmeldungen aus Ihrem Netzwerk. Laden Sie diese Seite in einigen Sekunden neu.
        <p lang=es>Demasiados inicios de sesión desde tu red. Recarga esta página en unos segundos.
        <p lang=fr>Trop de connexions depuis votre réseau. Rechargez cette page dans quelques secondes.
        <p lang=ja>お使いのネットワークからのサインインが多すぎます。数秒待ってから、このページを再読み込みしてください。
        <p lang=zh-Hans>您所在网络的登录请求过多。请稍等几秒，然后刷新此页。
        <p lang=zh-Hant>您所在網路的登入要求過多。請稍候幾秒，然後重新載入這個網頁。
        ";
        }
        """#
    }
}
