import Guard

extension LighttpdConfiguration {
    /// The guarded locations, longest last: lighttpd uses the last condition that applies.
    var guarded: [GuardedLocation] {
        front.guarded.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
    }

    /// The guard for an existing site: it keeps the applications and the request size of the site.
    func includedGuard(_ location: GuardedLocation) -> String {
        let isSize: (Substring) -> Bool = { $0.contains("server.max-request-size") }
        let lines = block(location, isExplained: false).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.filter { !isSize($0) }.joined(separator: "\n")
        // Only in the guard itself, which comes first: += keeps the applications of the blocks around it.
        return text.replacing("fastcgi.server = (", with: "fastcgi.server += (", maxReplacements: 1)
    }

    var guarding: String {
        let blocks = guarded.enumerated().map { index, location in
            block(location, isExplained: index == 0)
        }
        return ([explanation] + blocks).joined(separator: "\n")
    }

    private var explanation: String {
        #"""
        # Guarded locations: a visitor who is signed out goes to LinkedIn and back to the same address; a member whom the rule
        # rejects gets 403. A rule has one or more conditions, such as member, email-domain=example.com, subject=A,B and
        # allow=/path; a visitor must meet all of them.
        # lighttpd compares the decoded path. With =^, keep the slash at the end: "/private" would guard /privateer too.
        # A later condition with a fastcgi.server of its own replaces this fastcgi.server and its guard if both apply: put
        # an application below a guarded path into this list.
        # An application finds the identity of the member in REMOTE_USER, AUTH_EMAIL and AUTH_NAME of its environment, and
        # claims (SIGNIN_APPLICATION_CLAIMS) in AUTH_GROUPS and AUTH_CLAIM_..., which no header of a client can set.
        # mod_proxy does not pass the identity.
        # lighttpd before 1.4.77 sends a request body to the guard without its end. linkedin-signin does not wait for it;
        # other authorizers may wait forever.
        """#
    }

    /// `\z`, not `$`, which also matches before a line feed.
    private func condition(_ location: GuardedLocation) -> String {
        guard let exact = location.exact else { return #"$HTTP["url"] =^ "\#(location.prefix)""# }
        return #"$HTTP["url"] =~ "^\#(exact.replacing(".", with: #"\."#))(?:/|\z)""#
    }

    private func block(_ location: GuardedLocation, isExplained: Bool) -> String {
        let entry = isExplained ? "\(application(location.path).indented(by: 8))\n" : ""
        let size = isExplained ? "    # The largest request that your application accepts, in KB.\n" : ""
        let expiry = isExplained ? "    # No cache may serve guarded content without the guard.\n" : ""
        return #"""
            \#(condition(location)) {
                setenv.add-environment = ( "SIGNIN_REQUIRE" => "\#(location.rule)" )
                fastcgi.server = (
                    "/" => ( "linkedin-signin" => (
            \#(backend.members.indented(by: 12))
                        "mode" => "authorizer",
                        "check-local" => "disable",
                        "read-timeout" => \#(front.readTimeout),
                    ) ),
            \#(entry)    )
            \#(size)    server.max-request-size = \#(Self.kilobytes(front.maxBody))
            \#(expiry)    expire.url = ( "" => "access plus 0 seconds" )
            \#(asking(location, isExplained).indented(by: 4))}
            """#
    }

    /// The lines for requests with a body and without a session cookie; empty if the rule admits them.
    private func asking(_ location: GuardedLocation, _ isExplained: Bool) -> String {
        guard !location.admitsEverybody else { return "" }
        let why = #"""
            # A request with a body and without a session cookie: linkedin-signin answers it after lighttpd has read the body.
            # An authorizer answers earlier, and lighttpd then closes the connection while the client still sends.

            """#
        let answer = #"""
            setenv.add-environment = ( "SIGNIN_ACTION" => "ask" )
            fastcgi.server = ( "/" => ( "linkedin-signin" => (
            \#(backend.members.indented(by: 4))
                "check-local" => "disable",
                "read-timeout" => \#(front.readTimeout),
            ) ) )
            """#
        return (isExplained ? why : "") + #"""
            $HTTP["request-method"] !~ "^(?:GET|HEAD|OPTIONS)\z" {
                $HTTP["cookie"] !~ "__Host-session=" {
            \#(unlessPersonalToken(answer).indented(by: 8))
                }
            }

            """#
    }

    /// Lines that do not apply to a request with a personal token, which the authorizer checks.
    private func unlessPersonalToken(_ lines: String) -> String {
        guard front.acceptsPersonalTokens else { return lines }
        return #"""
            $REQUEST_HEADER["authorization"] !~ "(?i)^\s*Bearer\s+lsi_" {
            \#(lines.indented(by: 4))
            }
            """#
    }

    private func application(_ location: String) -> String {
        #"""
        #"\#(location)" => ( "application" => ( "socket" => "/run/application/socket", "check-local" => "disable" ) ),
        """#
    }
}
