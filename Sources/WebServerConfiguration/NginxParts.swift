/// The parts of the configuration of nginx for one site; the whole file and the include files consist of the same parts.
///
/// Every name contains the name of the site, because all sites of one nginx share names.
package struct NginxParts {
    let front: FrontEnd
    let name: SiteName
    /// The file with the parameters of every location of linkedin-signin; nil if the `server` block has them.
    let parametersFile: String?

    init(front: FrontEnd, parametersFile: String? = nil) {
        self.front = front
        name = SiteName(front)
        self.parametersFile = parametersFile
    }

    /// The name of the upstream, the zone and the log format, and the prefix of every variable.
    ///
    /// At most 38 characters, so that eight more make the longest name for which nginx's table of variables has room
    /// (`variables_hash_bucket_size`). So no name of a variable adds more than `_subject` does.
    var id: String { "signin_" + name.identifier }

    /// The prefix of the paths of internal locations.
    var internalPrefix: String { "/.linkedin-signin/\(name.identifier)" }

    /// The name of the zone for POST /session; no identifier of a site contains `-`, so it is the only zone of this name.
    var tokenZoneName: String { "\(id)-tokens" }
    var callbackZoneName: String { "\(id)-callbacks" }

    /// The log of the callback: the default file of nginx, even for a site with a log of its own.
    static let accessLog = "/var/log/nginx/access.log"

    /// Creates one of the program's own locations.
    ///
    /// - Parameters:
    ///   - match: The words after `location`.
    ///   - action: The action of the program, see `Action`; empty for the route of the path.
    ///   - lines: Lines that only this location has.
    ///   - cache: The lines about the cache.
    ///   - header: The maximum size of the answer's header, in kilobytes; for a page, of the whole answer.
    ///   - body: The maximum size of a request body, in bytes.
    /// - Returns: The block.
    func location(
        _ match: String,
        action: String = "",
        lines: [String] = [],
        cache: [String]? = nil,
        header: Int = pageBuffer,
        body: Int
    ) -> String {
        let isInherited = parametersFile == nil && header == Self.pageBuffer
        let all =
            ["set $\(id)_action \"\(action)\";"] + lines + (cache ?? uncached)
            + (isInherited ? [] : Self.buffers(kilobytes: header)) + ["client_max_body_size \(Self.size(body));"]
            + (parametersFile.map { ["include \($0);"] } ?? []) + ["fastcgi_pass \(id);"]
        return "location \(match) {\n\(all.joined(separator: "\n").indented(by: 4))\n}"
    }

    /// Whether each location has its own line about the cache: nginx rejects a second one beside that of an include file.
    private var hasCacheInLocations: Bool { parametersFile != nil && front.verdictLife != nil }

    private var uncached: [String] { hasCacheInLocations ? ["fastcgi_cache off;"] : [] }

    /// The line about the cache that all locations of linkedin-signin share; empty if each has its own.
    var sharedCache: String { hasCacheInLocations ? "" : "fastcgi_cache off;\n" }

    /// The size of a buffer into which a whole page fits, in kilobytes.
    ///
    /// During a reload, nginx can cut an answer that needs a second buffer: a stopping worker closes a connection that it had
    /// accepted and on which no request had arrived yet, although the answer to its first request is not complete.
    static let pageBuffer = 16

    /// The buffers for answers; the whole header of an answer must fit into one, or nginx answers 502.
    ///
    /// With a cache, its key precedes the header in the same buffer.
    static func buffers(kilobytes: Int) -> [String] {
        ["fastcgi_buffer_size \(kilobytes)k;", "fastcgi_buffers 8 \(kilobytes)k;"]
    }

    /// A number of bytes with the unit of nginx.
    static func size(_ bytes: Int) -> String {
        if bytes == 0 { return "0" }
        if bytes % (1024 * 1024) == 0 { return "\(bytes / 1024 / 1024)m" }
        return bytes % 1024 == 0 ? "\(bytes / 1024)k" : "\(bytes)"
    }
}

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
        # visitors see the page of linkedin-signin about the fault.
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

extension NginxParts {
    /// Every parameter that an application on FastCGI needs, the identity of the member among them.
    ///
    /// The distribution's list sets REMOTE_USER from the Authorization header of the client.
    var fastcgiApplication: String {
        #"""
        # For an application on FastCGI, such as PHP. These lines replace fastcgi_params or fastcgi.conf, which set
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
