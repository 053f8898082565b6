import Settings

/// The configuration of nginx: a whole file, whose comments say why each line is there.
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
        # nginx in front of linkedin-signin: a whole configuration, which `nginx -t -c` accepts.
        #
        # Printed for \#(front.site) by: linkedin-signin print-config nginx
        # It takes your settings, and what you want guarded: --location /members/ --require "email-domain=example.com".
        # Change \#(front.origin.isSecure ? "the two certificate paths and `root`" : "`root`") before use.
        # The lines work in every release since nginx 1.22; comments name the releases that treat a line differently.
        # For a site that nginx serves already, `print-config nginx --write` makes files to include instead.

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
        server_tokens off;
        """#
    }

    private var logging: String {
        """
        # No query at all, so that no refused spelling of the callback leaves a code here.
        access_log \(NginxParts.accessLog) \(parts.id);
        """
    }

    private var buffers: String {
        (["# Room for a header or two that you add."] + NginxParts.buffers(kilobytes: 8)).joined(separator: "\n")
    }

    private var server: String {
        let body = [
            listening, site, parts.server, parts.home, guarding, parts.parameters, buffers,
        ].compactMap(\.self).joined(separator: "\n\n")
        return "server {\n" + body.indented(by: 4) + "\n}"
    }
}
