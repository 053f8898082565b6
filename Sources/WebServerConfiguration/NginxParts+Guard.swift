import Guard

extension NginxParts {
    /// The lines of a guarded location.
    ///
    /// Nested locations inherit all of them. The rule is not among them, because nested locations do not inherit `set`: it
    /// is in the location that asks linkedin-signin.
    func guarding(_ location: GuardedLocation) -> String {
        #"""
        # Reject all requests if this `server` block lacks the locations that ask linkedin-signin.
        if ($\#(id)_server = "") {
            return 403;
        }

        # The location with the rule, which asks linkedin-signin.
        auth_request \#(internalPath(of: location));

        # 401: send the visitor to LinkedIn and back to the same address. 403: show the page about the rejected
        # account.
        error_page 401 = @\#(id)_sign_in;
        error_page 403 = @\#(id)_denied;

        # The member: subject, e-mail address if it is verified, name and claims (SIGNIN_APPLICATION_CLAIMS), in the
        # form of RFC 8187 if it is not ASCII.
        \#(front.identities.map { "auth_request_set $\(id)_\($0.variable) $upstream_http_\($0.nginxName);" }.joined(separator: "\n"))

        # Why linkedin-signin rejected the request, for the page about 403.
        auth_request_set $\#(id)_cause $upstream_http_x_auth_reason;

        # No cache may serve guarded content without the guard, unless the application sends Cache-Control.
        expires $\#(id)_expires;
        """#
    }

    /// The path of the location that asks linkedin-signin for a guard.
    ///
    /// It contains the guarded path, so that a file of an earlier `--write` never gets the rule of another location.
    private func internalPath(of location: GuardedLocation) -> String { internalPrefix + location.path }

    /// A location with an `error_page` of its own does not inherit those of the site.
    var closed: String { "error_page 599 @\(id)_later;" }

    /// The locations that guards use.
    var guardLocations: String {
        let asking = front.guarded.map { guarded in
            location(
                "= \(internalPath(of: guarded))",
                action: Action.authorize.rawValue,
                lines: ["set $\(id)_rule \"\(guarded.rule)\";", "internal;", closed, "fastcgi_pass_request_body off;"],
                cache: front.verdictLife == nil ? nil : verdictUse,
                header: front.verdictLife == nil ? 8 : Self.cachedHeader,
                body: 0
            )
        }
        let explanation = #"""
            # These locations ask linkedin-signin about each request to a guarded location, without the request body. With a
            # limit on the size of bodies, nginx would respond with 500 to larger requests; 0 disables the limit. An
            # error_page of the site could turn a failure into 200 and so admit the request. An error_page here, for a
            # status that never occurs, keeps this location from inheriting those of the site.

            """#
        let guards = asking.isEmpty ? "" : explanation + asking.joined(separator: "\n") + "\n\n"
        return guards + #"""
            # A guard without a rule rejects all requests.
            location ^~ \#(internalPrefix)/ {
                internal;
                \#(closed)
                return 403;
            }

            # For visitors without a session. linkedin-signin keeps a form up to this size, and sends it to your application
            # after the sign-in. The header of your application's response to the form must fit into one buffer.
            \#(location("@\(id)_sign_in", action: Action.signIn.rawValue, header: 32, body: front.maxBody))

            # For members whom the rule rejects. A 403 of nginx itself, such as for a directory, shows this page too.
            \#(location(
                "@\(id)_denied",
                action: Action.denied.rawValue,
                lines: ["fastcgi_pass_request_body off;"],
                body: 0
            ))
            """#
    }
}
