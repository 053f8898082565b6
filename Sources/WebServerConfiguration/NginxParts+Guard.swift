import Guard

extension NginxParts {
    /// What a guarded location includes.
    ///
    /// Only directives that nested locations inherit, and no variable that one of them would have to set: the rule is
    /// in the location that asks linkedin-signin.
    func guarding(_ location: GuardedLocation) -> String {
        #"""
        # Closed, unless this `server` block has the locations that decide.
        if ($\#(id)_server = "") {
            return 403;
        }

        # The rule is there, with the location that asks linkedin-signin.
        auth_request \#(internalPath(of: location));

        # Signed out: to LinkedIn and back to the same address. Signed in and not admitted: the page that says so.
        error_page 401 = @\#(id)_sign_in;
        error_page 403 = @\#(id)_denied;

        # Who passed. The address only if it is verified; the name as RFC 8187 writes it where it is not ASCII.
        auth_request_set $\#(id)_subject $upstream_http_x_auth_subject;
        auth_request_set $\#(id)_email $upstream_http_x_auth_email;
        auth_request_set $\#(id)_name $upstream_http_x_auth_name;

        # No cache may serve what is here without asking the guard, unless an application itself speaks of caches.
        expires $\#(id)_expires;
        """#
    }

    /// The path of the location that asks for a guard.
    ///
    /// It carries the guarded path, so that a file of an earlier `--write` never finds the rule of another location.
    private func internalPath(of location: GuardedLocation) -> String { internalPrefix + location.path }

    /// Without an `error_page` of its own, a location inherits those of the site.
    private var closed: String { "error_page 599 @\(id)_later;" }

    /// The locations behind the guards.
    var guardLocations: String {
        let asking = front.guarded.map { guarded in
            location(
                "= \(internalPath(of: guarded))",
                action: Action.authorize.rawValue,
                lines: ["set $\(id)_rule \"\(guarded.rule)\";", "internal;", closed, "fastcgi_pass_request_body off;"],
                body: 0
            )
        }
        return #"""
            # May the request pass? Asked for each request to a guarded location. The question has no body, whatever the
            # size of the request's: past a limit here (0: none) nginx would answer 500. An error_page of the site
            # could turn a failure into 200, and so let the request pass: one for a status that never comes keeps it out.
            \#(asking.joined(separator: "\n"))

            # A guard without a rule stays closed.
            location ^~ \#(internalPrefix)/ {
                internal;
                \#(closed)
                return 403;
            }

            # Signed out. A form is passed on, so that it is not lost; one of unknown length up to this size. After the
            # sign-in linkedin-signin sends it, and the header of your application's answer takes one buffer here.
            \#(location("@\(id)_sign_in", action: Action.signIn.rawValue, header: 32, body: front.maxBody))

            # Signed in, and not admitted. nginx's own 403, such as for a directory, shows this page too.
            \#(location(
                "@\(id)_denied",
                action: Action.denied.rawValue,
                lines: ["fastcgi_pass_request_body off;"],
                body: 0
            ))
            """#
    }
}
