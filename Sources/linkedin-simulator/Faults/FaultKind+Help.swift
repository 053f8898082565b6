extension FaultKind {
    /// What `--help` says of the faults.
    static let help = """
          at every endpoint
            delay [ms=1000]            the right answer, late (at most 50 s)
            hang                       no answer while the client waits
            close                      the connection ends without a byte
            drip [ms=100]              the right answer, a byte at a time
            truncated [bytes=100]      the right answer with a Content-Length too large by so much
            truncated-chunks           the right answer in chunks, without the last one
            huge [bytes=2097152]       the right answer, followed by so many spaces, in chunks
            status status=N            LinkedIn's envelope for that status [retry-after=S] [code=65600|65601|65602|65604]
            redirect [status=302]      to /elsewhere/NAME, which the journal counts as `elsewhere`
            garbage, html, empty       200 with a body that is not what it should be
            answer [status=200] [type=application/json] [body=TEXT | body64=BASE64]   whatever you say
          at endpoints that answer JSON
            json-array                 the right answer inside an array
            deep [depth=100000]        the right answer with one more member, nested so deep
            duplicate-keys             every string member twice, the second time with another value
          at token, in the ID token
            wrong-signature wrong-aud wrong-iss wrong-nonce expired not-yet no-iat no-sub
            alg-none alg-hs256 unknown-kid no-kid
            claims claims=OBJECT       these claims instead; null removes one
          at token, beside it
            no-id-token mac-token-type missing-access-token absurd-expires-in
          elsewhere
            revoked                    userinfo, identityMe, me, v1: 401 REVOKED_ACCESS_TOKEN
            other-sub                  userinfo: somebody else's subject
            xss                        token, userinfo, identityMe, me: markup in names and addresses
            evil-link                  userinfo, identityMe, me, v1: a profile link that runs a script
            other-key broken-key many-keys [keys=10000]   jwks
        """
}
