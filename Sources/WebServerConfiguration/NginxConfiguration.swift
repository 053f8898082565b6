import Guard
import HTTP
import Settings

/// The whole configuration file of nginx; its comments give the reason for each line.
struct NginxConfiguration {
    let front: FrontEnd

    private var parts: NginxParts { NginxParts(front: front) }

    var text: String {
        [
            introduction,
            "http {",
            [shared, parts.http, logging].joined(separator: "\n\n").indented(by: 4) + "\n",
            ([plainServer].compactMap(\.self) + [server]).joined(separator: "\n\n").indented(by: 4),
            "}",
        ].joined(separator: "\n")
    }

    private var introduction: String {
        #"""
        # A whole configuration of nginx in front of linkedin-signin. Check it with: nginx -t -c FILE
        #
        # Printed for \#(front.site) by: linkedin-signin print-config nginx
        # The command uses your settings. To guard other locations: --location /members/ --require "email-domain=example.com".
        # Before use, change \#(front.origin.isSecure ? "the two certificate paths and `root`" : "`root`").
        # The lines work in every release since nginx 1.22; comments name the releases that treat a line differently.
        # For a site that nginx serves already, `print-config nginx --write` writes files to include instead.

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
        server_tokens off;\#(longName)
        """#
    }

    /// The line that a name of more than 46 characters needs; otherwise empty.
    private var longName: String {
        front.origin.host.utf8.count > 46 ? "\nserver_names_hash_bucket_size 512;" : ""
    }

    private var logging: String {
        """
        # This log has no queries, so that it never contains the code of a callback whose spelling nginx rejects.
        access_log \(NginxParts.accessLog) \(parts.id);
        """
    }

    private var buffers: String {
        (["# Large enough for a page with a few headers that you add."]
            + NginxParts.buffers(kilobytes: NginxParts.pageBuffer)).joined(separator: "\n")
    }

    private var server: String {
        let body = [
            listening, site, parts.server, parts.home, parts.health, guarding, parts.parameters, buffers,
        ].compactMap(\.self).joined(separator: "\n\n")
        return "server {\n" + body.indented(by: 4) + "\n}"
    }
}

extension NginxConfiguration {
    private var host: String { front.origin.host }

    /// The server that redirects plain HTTP to HTTPS; nil for a site on loopback without HTTPS.
    private var plainServer: String? {
        guard front.origin.isSecure else { return nil }
        return #"""
            # Plain HTTP only redirects to HTTPS.
            server {
                listen 80;
                listen [::]:80;
                server_name \#(host);
                return 301 \#(front.origin.origin)$request_uri;
            }
            """#
    }

    private var listening: String {
        guard front.origin.isSecure else {
            return "listen \(front.plainAddress):\(front.origin.port ?? 80);\nserver_name \(host);"
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

    private var site: String {
        #"""
        # Your site. linkedin-signin gets only requests for guarded locations and for the exact paths below.
        root /var/www/\#(host);

        # nginx redirects /private to /private/. These redirects must not repeat the Host header of the client, and must
        # work behind a proxy with another port.
        absolute_redirect off;

        # Many applications read X_Auth_Subject and X.Auth.Subject as X-Auth-Subject, so nginx must ignore such headers.
        # These are the defaults. nginx uses the values of the first server of a port.
        underscores_in_headers off;
        ignore_invalid_headers on;
        """#
    }

    /// The guarded locations; comments in the first one explain how an application gets the identity of the member.
    private var guarding: String {
        let blocks = front.guarded.enumerated().map { index, location in
            block(location, index == 0 ? ways : nil)
        }
        let explanation = #"""
            # Guarded locations. A rule has one or more conditions, such as member, email-domain=example.com, subject=A,B
            # and allow=/path; a visitor must meet all of them. A location guards every path with its prefix: /private/
            # leaves /private itself open. Keep ^~: without it, nginx prefers a `location ~ \.php$` of your site, which has
            # no guard. Put such a location inside a guarded location, where it inherits the guard.
            """#
        return explanation + "\n" + blocks.joined(separator: "\n\n")
    }

    private func block(_ location: GuardedLocation, _ ways: String?) -> String {
        let lines = [parts.guarding(location), size, ways].compactMap(\.self).joined(separator: "\n\n").indented(by: 4)
        let prefix = "location ^~ \(location.prefix) {\n\(lines)\n}"
        guard let exact = location.exact else { return prefix }
        let own = [parts.guarding(location), size].joined(separator: "\n\n").indented(by: 4)
        return prefix + "\n\n# The path without a slash: copy here what you add to the location above.\n"
            + "location = \(exact) {\n\(own)\n}"
    }

    private var size: String {
        "# The largest request that your application accepts.\nclient_max_body_size \(NginxParts.size(front.maxBody));"
    }

    private var ways: String {
        #"""
        # 1. Files need nothing else. With this line, nginx asks only once about an address that ends in a slash.
        #try_files $uri ${uri}index.html $uri/ =404;

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
