extension NginxConfiguration {
    /// The guarded locations, and the three that stand behind them.
    var guarding: String {
        let others = front.guarded.dropFirst().flatMap { [further("^~ \($0.prefix)", $0.rule), itself($0)] }
        let blocks = [identity, example, itself(front.guarded[0])] + others + [asking]
        return blocks.compactMap(\.self).joined(separator: "\n\n")
    }

    private func further(_ location: String, _ rule: String) -> String {
        "location \(location) {\n\(furtherLines(rule).indented(by: 4))\n}"
    }

    /// The path that no slash at its end makes a prefix.
    private func itself(_ location: GuardedLocation) -> String? {
        location.exact.map { path in
            "# The path itself: what you put into the location above goes here too.\n"
                + further("= \(path)", location.rule)
        }
    }

    private var identity: String {
        #"""
        # Who passed, for the applications in guarded locations: `email` only if it is verified, and the name in UTF-8
        # as RFC 8187 writes it where it is not plain ASCII.
        auth_request_set $auth_subject $upstream_http_x_auth_subject;
        auth_request_set $auth_email $upstream_http_x_auth_email;
        auth_request_set $auth_name $upstream_http_x_auth_name;
        """#
    }

    private func guardLines(_ rule: String) -> String {
        #"""
        set $signin_require "\#(rule)";
        auth_request \#(front.mount.path("/auth"));
        error_page 401 = @signin;
        error_page 403 = @denied;
        """#
    }

    /// What the example says with its comments: no location inherits it from another.
    private func furtherLines(_ rule: String) -> String {
        #"""
        \#(guardLines(rule))
        client_max_body_size \#(Self.size(front.maxBody));
        expires $signin_expires;
        """#
    }

    private var example: String {
        let location = front.guarded[0]
        return #"""
            # A guarded location: to LinkedIn whoever is signed out, and back to the same address; 403 for whom the rule
            # does not admit. Rules: member, email-domain=example.com, subject=A,B, allow=/path and so on, all of which
            # must hold. Guarded is each path that begins with these characters, so keep the slash at the end.
            # ^~, because a `location ~ \.php$` of your site would otherwise take its files from here, past the guard.
            # Put such a location in here and repeat the line `set`, which none inherits: without a rule nobody passes.
            location ^~ \#(location.prefix) {
            \#(guardLines(location.rule).indented(by: 4))

                # What your application takes.
                client_max_body_size \#(Self.size(front.maxBody));

            \#(ways.indented(by: 4))
            }
            """#
    }

    private var ways: String {
        #"""
        # No cache may serve what is here without asking the guard, unless an application itself speaks of caches.
        expires $signin_expires;

        # 1. Files need no more.

        # 2. An application on FastCGI. fastcgi_params has a REMOTE_USER too, from the client's own Authorization
        # header. PHP and Perl take the later one; for a program that takes the first (libfcgi), delete it there.
        # An HTTP_ name with an empty value removes that header of the client, with - or _ in it.
        #include /etc/nginx/fastcgi_params;
        #fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
        #fastcgi_param REMOTE_USER $auth_subject;
        #fastcgi_param AUTH_EMAIL $auth_email;
        #fastcgi_param AUTH_NAME $auth_name;
        #fastcgi_param HTTP_X_AUTH_SUBJECT "";
        #fastcgi_param HTTP_X_AUTH_EMAIL "";
        #fastcgi_param HTTP_X_AUTH_NAME "";
        #fastcgi_param HTTP_PROXY "";
        #fastcgi_pass unix:/run/application/socket;

        # 3. An application on HTTP. Each line replaces what the client sends under that name, also by nothing.
        #proxy_set_header Host $host;
        #proxy_set_header X-Auth-Subject $auth_subject;
        #proxy_set_header X-Auth-Email $auth_email;
        #proxy_set_header X-Auth-Name $auth_name;
        #proxy_set_header Proxy "";
        #proxy_pass http://127.0.0.1:3000;
        """#
    }

    private var asking: String {
        #"""
        # May it pass? Asked for each request to a guarded location. The question has no body, however large that of
        # the request is: past a limit here (0: none) nginx would answer 500.
        location = \#(front.mount.path("/auth")) {
            internal;
            set $signin_action authorize;
            fastcgi_pass_request_body off;
            client_max_body_size 0;
            fastcgi_pass linkedin_signin;
        }

        # Signed out. A form that was sent is passed on, so that it is not lost; of unknown length up to this size.
        # After the sign-in linkedin-signin sends it, and the header of your application's answer takes one buffer here.
        location @signin {
            set $signin_action signin;
            client_max_body_size \#(Self.size(front.maxBody));
            fastcgi_buffer_size 32k;
            fastcgi_buffers 8 32k;
            fastcgi_pass linkedin_signin;
        }

        # Signed in, and not admitted: the page that says so. nginx's own 403, say for a directory, shows it too.
        location @denied {
            set $signin_action denied;
            fastcgi_pass_request_body off;
            fastcgi_pass linkedin_signin;
        }
        """#
    }
}
