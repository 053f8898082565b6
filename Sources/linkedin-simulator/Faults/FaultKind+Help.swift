extension FaultKind {
    /// What `--help` says of the faults.
    static let help = """
        FAULTS at every endpoint
          delay             [ms=1000] the right answer, late (at most 50 s)
          hang              no answer while the client waits
          close             the connection ends without a byte
          drip              [ms=100] the right answer, a byte at a time
          truncated         [bytes=100] the right answer with a Content-Length too
                            large by so much
          truncated-chunks  the right answer in chunks, without the last chunk
          huge              [bytes=2097152] the right answer and so many spaces
          status            status=N: LinkedIn's envelope for that status
                            [retry-after=S] [code=65600|65601|65602|65604]
          redirect          [status=302] to /elsewhere/NAME
          garbage, html, empty
                            200 with a body that is not what it should be
          answer            [status=200] [type=application/json]
                            [body=TEXT | body64=BASE64] [headers=OBJECT]
                            [version=HTTP/1.1] whatever you say; a header may be
                            an array, and Content-Length may lie
        FAULTS where a JSON object is due
          json-array        the right answer inside an array
          deep              [depth=100000] one more member, nested so deep
          duplicate-keys    every text member twice, then with the value "duplicate"
        FAULTS of the ID token, at token
          wrong-signature, wrong-aud, wrong-iss, wrong-nonce, expired, not-yet,
          no-iat, no-sub, alg-none, alg-hs256, unknown-kid, no-kid
          claims            claims=OBJECT: these claims too; null removes one
        FAULTS beside the ID token, at token
          no-id-token, mac-token-type, missing-access-token, absurd-expires-in
        FAULTS of single endpoints
          revoked           userinfo, identityMe, me, v1: REVOKED_ACCESS_TOKEN
          other-sub         userinfo: the subject of somebody else
          xss               token, userinfo, identityMe, me: markup in names,
                            script in picture addresses
          evil-link         userinfo, identityMe, me, v1: script in profile links
          other-key, broken-key, many-keys [keys=10000]
                            jwks: the wrong key, malformed keys, too many keys
        """
}
