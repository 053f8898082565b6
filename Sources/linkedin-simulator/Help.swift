/// What `--help` teaches beyond the options.
enum Help {
    static let discussion = """
        When it listens it prints one line, `listening on http://127.0.0.1:PORT`; SIGTERM and SIGINT end it with status \
        0. All of LinkedIn's hosts are this one base URL.

        SIGN IN FROM A SCRIPT
          Open the authorization URL in a browser and choose a member, or post the choice to the same URL:
            curl -si -d 'member=1&decision=allow' "$BASE/oauth/v2/authorization?response_type=code&client_id=..."
          member=1..7 chooses who signs in; decision is allow, cancel (error=user_cancelled_login)
          or deny (error=user_cancelled_authorize). The answer is the redirect to the application.

        ENDPOINTS (names are those of faults and of the journal)
          authorization, consent   GET, POST /oauth/v2/authorization
          token                    POST /oauth/v2/accessToken
          jwks                     GET /oauth/openid/jwks
          discovery                GET /oauth/.well-known/openid-configuration
          userinfo                 GET /v2/userinfo                        scope openid
          identityMe               GET /rest/identityMe                    scope r_profile_basicinfo
          me                       GET /v2/me                              scope r_basicprofile
          v1                       GET /v1/people/~:(public-profile-url)   410, unless the setting v1 is on

        CONTROL (JSON or a form)
          POST   /control/faults       endpoint=NAME fault=NAME [count=N] [options]; without count until cleared
          GET    /control/faults       what waits; DELETE clears (?endpoint=NAME only that endpoint's)
          GET    /control/requests     the journal (?endpoint=NAME); DELETE clears it
          POST   /control/settings     any settings, by the names that GET shows
          POST   /control/rotate-key   a new signing key

        FAULTS
        \(FaultKind.help)
        """
}
