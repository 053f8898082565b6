extension NginxParts {
    /// Every parameter that an application on FastCGI needs, the identity of the member among them.
    ///
    /// The distribution's list sets REMOTE_USER from the Authorization header of the client.
    var fastcgiApplication: String {
        #"""
        # For an application on FastCGI, such as PHP, instead of fastcgi_params or fastcgi.conf. Those files set
        # REMOTE_USER from the Authorization header of the client. If you must keep one of them, put these lines
        # below it: PHP and Perl use the last of two values. Outside guarded locations the identity is empty.
        \#(front.identities.map { "fastcgi_param \($0.parameter) $\(id)_\($0.variable);" }.joined(separator: "\n"))
        # An HTTP_ parameter with an empty value removes that header of the client, spelled with - or _.
        \#(front.identities.map { "fastcgi_param HTTP_\($0.nginxName.uppercased()) \"\";" }.joined(separator: "\n"))
        fastcgi_param HTTP_PROXY "";
        \#(personalToken("fastcgi_param HTTP_AUTHORIZATION"))# The other lines are those of the distribution's files.
        fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
        fastcgi_param SCRIPT_NAME $fastcgi_script_name;
        fastcgi_param PATH_INFO $fastcgi_path_info;
        fastcgi_param QUERY_STRING $query_string;
        fastcgi_param REQUEST_METHOD $request_method;
        fastcgi_param REQUEST_URI $request_uri;
        fastcgi_param CONTENT_TYPE $content_type;
        fastcgi_param CONTENT_LENGTH $content_length;
        fastcgi_param DOCUMENT_URI $document_uri;
        fastcgi_param DOCUMENT_ROOT $document_root;
        fastcgi_param SERVER_PROTOCOL $server_protocol;
        fastcgi_param REQUEST_SCHEME $scheme;
        fastcgi_param HTTPS $https if_not_empty;
        fastcgi_param GATEWAY_INTERFACE CGI/1.1;
        fastcgi_param SERVER_SOFTWARE nginx/$nginx_version;
        fastcgi_param REMOTE_ADDR $remote_addr;
        fastcgi_param REMOTE_PORT $remote_port;
        fastcgi_param SERVER_ADDR $server_addr;
        fastcgi_param SERVER_PORT $server_port;
        fastcgi_param SERVER_NAME $server_name;
        # For a PHP that was built with --enable-force-cgi-redirect.
        fastcgi_param REDIRECT_STATUS 200;
        """#
    }

    /// The headers that an application on HTTP gets, with the identity of the member.
    var proxiedApplication: String {
        #"""
        # For an application on HTTP. Each line replaces a header of the client, or removes it if the value is
        # empty, as outside guarded locations. A location with a proxy_set_header does not inherit those of `server`
        # or `http`: repeat them, such as `proxy_set_header Host $host;`.
        \#(front.identities.map { "proxy_set_header \($0.header) $\(id)_\($0.variable);" }.joined(separator: "\n"))
        \#(personalToken("proxy_set_header Authorization"))proxy_set_header Proxy "";
        """#
    }

    /// The line that removes a personal token from what an application gets; empty if there are none.
    private func personalToken(_ directive: String) -> String {
        front.acceptsPersonalTokens ? "\(directive) $\(id)_passed;\n" : ""
    }
}
