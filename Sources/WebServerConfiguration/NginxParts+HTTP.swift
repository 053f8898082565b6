import Settings

extension NginxParts {
    /// The lines for the `http` block.
    var http: String {
        ([logFormat, limitZone] + tokenZone + [upstream, variables] + verdictCache).joined(separator: "\n\n")
    }

    private var logFormat: String {
        #"""
        # For the callback: $uri, not $request, because the query of the callback contains the authorization code.
        log_format \#(id)
            '$remote_addr - [$time_local] "$request_method $uri $server_protocol" '
            '$status $body_bytes_sent "$http_user_agent" $request_id';
        """#
    }

    private var limitZone: String {
        #"""
        # The limits of requests that begin a sign-in, and of requests that finish one or send a logout token, for each
        # client address. A member who chooses one of several providers begins with two requests, and Apple finishes with
        # two. The limits are high enough for an office behind one address. If nginx is behind another proxy, set
        # real_ip_header too; otherwise all visitors share the limits.
        limit_req_zone $binary_remote_addr zone=\#(id):1m rate=5r/s;
        limit_req_zone $binary_remote_addr zone=\#(callbackZoneName):1m rate=5r/s;
        """#
    }

    /// The zone for POST /session; empty if that request does not read an access token.
    private var tokenZone: [String] {
        guard front.acceptsTokens else { return [] }
        return [
            #"""
            # The same limit for access tokens. Only requests with POST count: scripts may ask often who is signed in.
            map $request_method $\#(id)_sender { POST $binary_remote_addr; default ""; }
            limit_req_zone $\#(id)_sender zone=\#(tokenZoneName):1m rate=5r/s;
            """#
        ]
    }

    private var upstream: String {
        #"""
        upstream \#(id) {
            server \#(address);

            # Kept connections save about a third of the cost of a request and do not block linkedin-signin.
            # They are off because after a restart of linkedin-signin, nginx responds with 502 once for each kept
            # connection: fastcgi_next_upstream does not let nginx repeat the request. To use them, uncomment this line
            # and fastcgi_keep_conn. From nginx 1.29.7 on, keepalive is on by default, but has no effect without
            # fastcgi_keep_conn.
            #keepalive 16;
        }
        """#
    }

    /// The address of linkedin-signin.
    var address: String {
        switch front.listener {
        case .automatic, .inherited: "unix:\(ListenAddress.defaultPath)"
        case .unix(let path): "unix:\(path)"
        case .loopback(let host, let port): "\(host):\(port)"
        }
    }

    /// What tells personal tokens from other values of `Authorization`.
    private var personalTokens: [String] {
        guard front.acceptsPersonalTokens else { return [] }
        return [
            #"""
            # Authorization with a personal token (SIGNIN_PERSONAL_TOKENS) is for linkedin-signin, any other value for the
            # application.
            map $http_authorization $\#(id)_token { "~*^\s*Bearer\s+lsi_" $http_authorization; default ""; }
            map $http_authorization $\#(id)_passed { "~*^\s*Bearer\s+lsi_" ""; default $http_authorization; }
            """#
        ]
    }

    private var authorization: [String] {
        guard front.acceptsTokens else { return [] }
        // A pattern, because a hash table of nginx has no room for a long path.
        let other = front.acceptsPersonalTokens ? "$\(id)_token" : "\"\""
        let path = front.mount.path("/session").replacing(".", with: #"\."#)
        return [
            #"map "$request_method $uri" $\#(id)_bearer { "~^POST \#(path)\z" $http_authorization; default \#(other); }"#
        ]
    }

    private var variables: String {
        let empty = (["action", "rule", "cause"] + front.identities.map(\.variable)).map { variable in
            "map \"\" $\(id)_\(variable) { default \"\"; }"
        }
        return #"""
            # Variables, empty unless a location or a guard sets them. With the variables of several sites, nginx may warn that
            # it could not build optimal variables_hash. Nothing is wrong; this line in the http block ends the warning:
            # variables_hash_bucket_size 128;
            \#((empty + personalTokens + authorization).joined(separator: "\n"))

            # Guarded content expires immediately, unless its application sends Cache-Control.
            map $sent_http_cache_control $\#(id)_expires { "" -1; default off; }
            """#
    }
}
