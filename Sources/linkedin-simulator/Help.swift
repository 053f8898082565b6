/// The text of `--help` besides the options; its lines have at most 80 characters.
enum Help {
    static let usage = """
        linkedin-simulator [--port <port>] [--client-id <id>]
          [--application-name <name>] [--client-secret <secret>]
          [--redirect-uri <uri> ...] [--issuer <url>] [--oidc]
          [--key-bits <bits>] [--signing-key <file>] [--quiet]
        """

    static let discussion = """
        When the simulator is ready it prints `listening on http://127.0.0.1:PORT`.
        SIGTERM and SIGINT end it with status 0. One base URL replaces all of
        LinkedIn's hosts.

        SIGN IN FROM A SCRIPT
          Open the authorization URL in a browser and choose a member, or post the
          choice to the same URL; the answer is the redirect to the application:
            curl -si -d 'member=1&decision=allow' "$AUTHORIZATION_URL"
          member is 1 to 7; decision is allow, cancel (user_cancelled_login) or
          deny (user_cancelled_authorize).

        ENDPOINTS, by their names in faults and in the journal
          authorization  GET  /oauth/v2/authorization
          consent        POST /oauth/v2/authorization
          token          POST /oauth/v2/accessToken
          introspection  POST /oauth/v2/introspectToken
          revocation     POST /oauth/v2/revoke
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
          GET    /control/faults       the active faults
          POST   /control/faults       endpoint=NAME fault=NAME [count=N] [options];
                                       without count it stays until cleared
          DELETE /control/faults       [?endpoint=NAME]
          GET    /control/requests     the journal [?endpoint=NAME]; with at-least=N
                                       it waits for this many requests
          DELETE /control/requests
          GET    /control/settings     every setting
          POST   /control/settings     new values
          POST   /control/rotate-key   a new signing key
          GET    /control/tokens       all tokens that were issued
          POST   /control/revoke       [member=N] [kind=access|refresh] revokes the
                                       tokens of one member or of all

        TIME AND CONSENT, by settings
          time-shift=SECONDS           the simulator's clock is ahead by this much
          remember-consent=true        a signed-in browser skips the consent page
                                       while a token for the same scopes is valid
          refresh-tokens=true, rotate-refresh-tokens=true
                                       refresh tokens, each valid once

        \(FaultKind.help)
        """
}
