import Settings

extension NginxParts {
    /// What belongs to the `http` block.
    var http: String {
        [logFormat, limitZone, upstream, variables].joined(separator: "\n\n")
    }

    private var logFormat: String {
        #"""
        # For the callback: $uri, not $request, because the query there holds the authorization code.
        log_format \#(id)
            '$remote_addr - [$time_local] "$request_method $uri $server_protocol" '
            '$status $body_bytes_sent "$http_user_agent"';
        """#
    }

    private var limitZone: String {
        #"""
        # One address may begin or finish this many sign-ins, which are two requests each: enough for an office behind
        # one address in the morning. Behind your own proxy, set real_ip_header too, or all visitors share one limit.
        limit_req_zone $binary_remote_addr zone=\#(id):1m rate=5r/s;
        """#
    }

    private var upstream: String {
        #"""
        upstream \#(id) {
            server \#(address);

            # Kept connections save about a third of the cost of a request and do not block linkedin-signin.
            # They are off because a restart of linkedin-signin then costs one 502 for each kept connection:
            # fastcgi_next_upstream forbids nginx to send the request again. To use them, uncomment this line and
            # fastcgi_keep_conn. From nginx 1.29.7 on, keepalive is on by default, but has no effect without
            # fastcgi_keep_conn.
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

    private var variables: String {
        let empty = ["action", "rule", "subject", "email", "name"].map { variable in
            "map \"\" $\(id)_\(variable) { default \"\"; }"
        }
        return #"""
            # Empty unless a location or a guard sets them.
            \#(empty.joined(separator: "\n"))

            # When guarded content expires: at once, or as its application says.
            map $sent_http_cache_control $\#(id)_expires { "" -1; default off; }
            """#
    }
}
