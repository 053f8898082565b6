import Guard
import HTTP
import Settings

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
            listen \#(port) ssl;
            listen [::]:\#(port) ssl;
            # HTTP/2: with nginx 1.25.1 or later, uncomment this line. With an earlier nginx, write `ssl http2;` in place of
            # `ssl;` in the two lines above.
            #http2 on;
            server_name \#(host);

            ssl_certificate /etc/ssl/certs/\#(host).pem;
            ssl_certificate_key /etc/ssl/private/\#(host).key;
            # The default from nginx 1.27.3 on.
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_session_cache shared:tls:4m;
            ssl_session_tickets off;

            # A location with an add_header of its own does not inherit this one. Repeat this line there, or, from nginx
            # 1.29.3 on, write `add_header_inherit merge;` there.
            add_header Strict-Transport-Security "max-age=31536000" always;
            """#
    }

    var site: String {
        #"""
        # Your site. What is neither guarded nor one of the exact paths below never reaches linkedin-signin.
        root /var/www/html;

        # As nginx does it anyway: many applications read X_Auth_Subject and X.Auth.Subject as X-Auth-Subject. Of both
        # lines, nginx uses those of the first server of a port.
        underscores_in_headers off;
        ignore_invalid_headers on;
        """#
    }

    /// The guarded locations; the first explains how an application learns who is signed in.
    var guarding: String {
        let blocks = front.guarded.enumerated().map { index, location in
            block(location, index == 0 ? ways : nil)
        }
        let explanation = #"""
            # Guarded locations. Rules: member, email-domain=example.com, subject=A,B, allow=/path and so on, all of which
            # must hold. Guarded is each path that begins with these characters, so keep the slash at the end.
            # ^~, because a `location ~ \.php$` of your site would otherwise take its files from here, past the guard.
            # Put such a location inside: it inherits the guard.
            """#
        return explanation + "\n" + blocks.joined(separator: "\n\n")
    }

    private func block(_ location: GuardedLocation, _ ways: String?) -> String {
        let lines = [parts.guarding(location), size, ways].compactMap(\.self).joined(separator: "\n\n").indented(by: 4)
        let prefix = "location ^~ \(location.prefix) {\n\(lines)\n}"
        guard let exact = location.exact else { return prefix }
        let own = [parts.guarding(location), size].joined(separator: "\n\n").indented(by: 4)
        return prefix + "\n\n# The path itself: what you put into the location above goes here too.\n"
            + "location = \(exact) {\n\(own)\n}"
    }

    private var size: String {
        "# What your application takes.\nclient_max_body_size \(NginxParts.size(front.maxBody));"
    }

    private var ways: String {
        #"""
        # 1. Files need no more.

        # 2. An application on FastCGI.
        \#(parts.fastcgiApplication.commented)
        #fastcgi_pass unix:/run/application/socket;

        # 3. An application on HTTP.
        \#(parts.proxiedApplication.commented)
        #proxy_set_header Host $host;
        #proxy_pass http://127.0.0.1:3000;
        """#
    }
}
