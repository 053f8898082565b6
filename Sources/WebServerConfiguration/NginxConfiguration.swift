import Settings

/// The whole configuration file of nginx; its comments give the reason for each line.
struct NginxConfiguration {
    let front: FrontEnd
    let parts: NginxParts

    init(front: FrontEnd) {
        self.front = front
        parts = NginxParts(front: front)
    }

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
        # Without queries: a rejected spelling of the callback must not put its code into this log.
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
