extension NginxParts {
    /// The lines that every location of linkedin-signin needs.
    ///
    /// They also switch off guards, caches and expiry that such a location could inherit from the site.
    var parameters: String {
        #"""
        # Every parameter that linkedin-signin reads. A location with a fastcgi_param of its own does not inherit these,
        # so variables contain the values that differ between locations.
        fastcgi_param SIGNIN_ACTION $\#(id)_action;
        fastcgi_param SIGNIN_REQUIRE $\#(id)_rule;
        fastcgi_param SIGNIN_REASON $\#(id)_cause;
        fastcgi_param REQUEST_METHOD $request_method;
        fastcgi_param SCRIPT_NAME $uri;
        fastcgi_param QUERY_STRING $query_string;
        fastcgi_param REQUEST_URI $request_uri;
        fastcgi_param CONTENT_TYPE $content_type;
        fastcgi_param CONTENT_LENGTH $content_length;
        fastcgi_param SERVER_PROTOCOL $server_protocol;
        fastcgi_param GATEWAY_INTERFACE CGI/1.1;
        fastcgi_param REMOTE_ADDR $remote_addr;
        # The log of nginx, the log of linkedin-signin and its error pages then show the same request number.
        fastcgi_param SIGNIN_REQUEST_ID $request_id;
        # A `Proxy:` header of a client must not become a setting of a CGI program (httpoxy). nginx does not send an
        # empty one.
        fastcgi_param HTTP_PROXY "";

        \#(authorization)# Off: see `keepalive` of the upstream.
        #fastcgi_keep_conn on;

        # A callback works once, so nginx must not repeat the request.
        fastcgi_next_upstream off;

        # Longer than linkedin-signin waits for LinkedIn (SIGNIN_TOTAL_TIMEOUT for each of several calls), so that
        # visitors see its own page about the fault.
        fastcgi_connect_timeout 5s;
        fastcgi_read_timeout \#(front.readTimeout)s;

        # linkedin-signin has its own pages for 401, 403 and 404. No cache may store a page.
        fastcgi_intercept_errors off;
        \#(sharedCache)expires off;
        auth_request off;
        """#
    }

    /// The line that passes `Authorization` only where linkedin-signin reads it; empty unless the setting for access tokens
    /// is on.
    private var authorization: String {
        guard front.acceptsTokens else { return "" }
        let personal =
            front.acceptsPersonalTokens
            ? "For other requests, nginx passes only\n# personal tokens."
            : "nginx passes Authorization\n# with no other request."
        return """
            # An access token for POST /session (SIGNIN_TOKEN_SESSIONS). \(personal)
            fastcgi_param HTTP_AUTHORIZATION $\(id)_bearer;


            """
    }
}
