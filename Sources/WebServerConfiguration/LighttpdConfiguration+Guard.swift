import Guard

extension LighttpdConfiguration {
    /// The longest last: of the conditions that hold, lighttpd takes what the last one says.
    var guarded: [GuardedLocation] {
        front.guarded.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
    }

    /// A guard for a site that is already there: its applications stay, and the size of requests too.
    func includedGuard(_ location: GuardedLocation) -> String {
        let isSize: (Substring) -> Bool = { $0.contains("server.max-request-size") }
        let lines = block(location, isExplained: false).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.filter { !isSize($0) }.joined(separator: "\n")
        // The first is the guard itself: += keeps the applications of the blocks around it.
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
        # Guarded locations: to LinkedIn whoever is signed out, and back to the same address; 403 for whom the rule does
        # not admit. Rules: member, email-domain=example.com, subject=A,B, allow=/path and so on, all of which must hold.
        # Guarded is each path for which, decoded and without dot segments, a condition holds. Where that is =^, keep the
        # slash at the end: "/private" would guard /privateer too.
        # A later condition that holds as well and has a fastcgi.server of its own replaces this one, guard and all: so
        # an application below a guarded path goes into this list.
        # An application takes the member from REMOTE_USER, AUTH_EMAIL and AUTH_NAME of its environment, which no header
        # of a client can become. mod_proxy does not tell an application who the member is.
        # Before lighttpd 1.4.77 a guard gets a request body that never ends. linkedin-signin does not wait for it; an
        # authorizer of another kind may, so do not put one in its place.
        """#
    }

    /// `\z` and not `$`, which would let a line feed follow.
    private func condition(_ location: GuardedLocation) -> String {
        guard let exact = location.exact else { return #"$HTTP["url"] =^ "\#(location.prefix)""# }
        return #"$HTTP["url"] =~ "^\#(exact.replacing(".", with: #"\."#))(?:/|\z)""#
    }

    private func block(_ location: GuardedLocation, isExplained: Bool) -> String {
        let entry = isExplained ? "\(application(location.path).indented(by: 8))\n" : ""
        let size = isExplained ? "    # What your application takes, in KB.\n" : ""
        let expiry = isExplained ? "    # No cache may serve a file without asking the guard.\n" : ""
        return #"""
            \#(condition(location)) {
                setenv.add-environment = ( "SIGNIN_REQUIRE" => "\#(location.rule)" )
                fastcgi.server = (
                    "/" => ( "linkedin-signin" => (
            \#(address.indented(by: 12))
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

    /// Where a request with a body and without a session cookie goes; nothing for a rule that admits it.
    private func asking(_ location: GuardedLocation, _ isExplained: Bool) -> String {
        guard !location.rule.split(separator: " ").contains("anyone") else { return "" }
        let why = #"""
            # A request with a body that can have no session: linkedin-signin answers it after the body was read, for an
            # authorizer answers before, and lighttpd then closes the connection while the client still sends.

            """#
        return (isExplained ? why : "") + #"""
            $HTTP["request-method"] !~ "^(?:GET|HEAD|OPTIONS)\z" {
                $HTTP["cookie"] !~ "__Host-session=" {
                    setenv.add-environment = ( "SIGNIN_ACTION" => "ask" )
                    fastcgi.server = ( "/" => ( "linkedin-signin" => (
            \#(address.indented(by: 12))
                        "check-local" => "disable",
                        "read-timeout" => \#(front.readTimeout),
                    ) ) )
                }
            }

            """#
    }

    private func application(_ location: String) -> String {
        #"""
        #"\#(location)" => ( "application" => ( "socket" => "/run/application/socket", "check-local" => "disable" ) ),
        """#
    }
}
