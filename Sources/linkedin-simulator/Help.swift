/// What `--help` teaches beyond the options; the lines fit a terminal of 80 columns.
enum Help {
    static let usage = """
        linkedin-simulator [--port <port>] [--client-id <id>]
          [--client-secret <secret>] [--redirect-uri <uri> ...] [--issuer <url>]
          [--oidc] [--key-bits <bits>] [--quiet]
        """

    static let discussion = """
        When it listens it prints one line, `listening on http://127.0.0.1:PORT`.
        SIGTERM and SIGINT end it with status 0. One base URL stands for all of
        LinkedIn's hosts.

        SIGN IN FROM A SCRIPT
          Open the authorization URL in a browser and choose a member, or post the
          choice to the very same URL; the answer is the redirect to the application:
            curl -si -d 'member=1&decision=allow' "$AUTHORIZATION_URL"
          member=1..7 says who; decision is allow, cancel (user_cancelled_login) or
          deny (user_cancelled_authorize).

        ENDPOINTS, by the names faults and journal use
          authorization  GET  /oauth/v2/authorization
          consent        POST /oauth/v2/authorization
          token          POST /oauth/v2/accessToken
          introspection  POST /oauth/v2/introspectToken
          jwks           GET  /oauth/openid/jwks
          discovery      GET  /oauth/.well-known/openid-configuration
          userinfo       GET  /v2/userinfo         scope openid
          identityMe     GET  /rest/identityMe     scope r_profile_basicinfo
          me             GET  /v2/me               scope r_basicprofile
          v1             GET  /v1/people/~:(public-profile-url)
                              scope r_basicprofile; 410 unless the setting v1 is on;
                              XML without format=json
          profile        GET  /in/NAME, /profile-thirdparty-redirect/TOKEN
          picture        GET  /dms/image/...
          elsewhere, unknown  the target of the fault redirect; any other path

        CONTROL, with JSON or a form
          GET    /control/faults       what waits
          POST   /control/faults       endpoint=NAME fault=NAME [count=N] [options];
                                       without a count it lasts until cleared
          DELETE /control/faults       [?endpoint=NAME]
          GET    /control/requests     the journal [?endpoint=NAME]; with at-least=N
                                       it answers once so many have come
          DELETE /control/requests
          GET    /control/settings     every setting
          POST   /control/settings     new values, by the same names
          POST   /control/rotate-key   a new signing key

        \(FaultKind.help)
        """
}
