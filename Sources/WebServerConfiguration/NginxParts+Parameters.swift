extension NginxParts {
    /// What every location of linkedin-signin needs.
    ///
    /// It undoes what such a location could inherit from a site and must not: guards, caches, expiry.
    var parameters: String {
        #"""
        # Every parameter that linkedin-signin reads. A location with a fastcgi_param of its own inherits none, so what
        # differs from location to location is a variable.
        fastcgi_param SIGNIN_ACTION $\#(id)_action;
        fastcgi_param SIGNIN_REQUIRE $\#(id)_rule;
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

        # Off: see `keepalive` of the upstream.
        #fastcgi_keep_conn on;

        # A sign-in is used up when it is first seen: the same request must not be sent a second time.
        fastcgi_next_upstream off;

        # Longer than linkedin-signin waits for LinkedIn (SIGNIN_TOTAL_TIMEOUT for each call, of which a sign-in may
        # need several), so that its own page explains the fault.
        fastcgi_connect_timeout 5s;
        fastcgi_read_timeout \#(front.readTimeout)s;

        # The pages for 401, 403 and 404 are linkedin-signin's own, and no cache keeps one.
        fastcgi_intercept_errors off;
        fastcgi_cache off;
        expires off;
        auth_request off;
        """#
    }
}
