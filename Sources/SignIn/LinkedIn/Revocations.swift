import EventLog
import HTTP
import OpenID
import Sessions

/// Revokes tokens at the provider after their session has ended here, in the background and without repetition.
///
/// A sign-out neither waits for it nor fails with it. Its calls are limited apart from the calls of sign-ins, so that an
/// endpoint that does not answer delays no sign-in.
enum Revocations {
    /// The maximum number of concurrent calls.
    static let limit = 8
    /// The maximum number of sessions whose tokens wait for a call; each has at most two tokens of 8 KiB.
    static let waiting = 1024

    static func calls() -> ProviderCalls { ProviderCalls(limit: limit, patience: nil, places: waiting) }

    /// What became of the tokens of one session.
    fileprivate struct Outcome {
        var revoked = 0
        var failed = 0
        /// The reason code and the detail of the first failure.
        var reason = ""
        var detail = ""

        mutating func fail(_ reason: String, _ detail: String = "") {
            if failed == 0 { (self.reason, self.detail) = (reason, detail) }
            failed += 1
        }
    }
}

extension Site {
    /// The number of calls to the provider in addition to those of sign-ins.
    package static let additionalCalls = Revocations.limit

    /// Begins to revoke the tokens of a session that has ended; returns at once.
    ///
    /// Does nothing if the provider has no revocation endpoint.
    ///
    /// - Parameters:
    ///   - tokens: The tokens of the session.
    ///   - subject: The subject of the member, for the log.
    ///   - sealed: The number of other sessions of the member that ended. Only a session's own cookie opens its tokens, so
    ///     those of other browsers cannot be revoked.
    ///   - request: The request that ended the sessions.
    func revoke(_ tokens: Tokens?, of subject: String, sealed: Int = 0, for request: Request) {
        guard client.options.revocationEndpoint != nil else { return }
        // The request contains the session cookie, which must not stay in memory.
        let (sender, id) = (request.client, request.id)
        let fields: [LogEvent.Field] = [("subject", subject), ("remote", request.remoteAddress)]
        if sealed > 0 {
            let more = fields + [("sessions", String(sealed))]
            log(LogEvent(.warning, .tokensNotRevoked, request: id, reason: "tokens-sealed", fields: more))
        }
        // The refresh token first: without it, nobody gets another access token.
        let texts = [tokens?.refreshToken, tokens?.accessToken].compactMap(\.self)
        guard !texts.isEmpty else { return }
        Task {
            let outcome = await revoke(texts, for: sender)
            if outcome.revoked > 0 {
                let more = fields + [("tokens", String(outcome.revoked))]
                log(LogEvent(.info, .tokensRevoked, request: id, fields: more))
            }
            if outcome.failed > 0 {
                let more = fields + [("tokens", String(outcome.failed)), ("detail", outcome.detail)]
                let reason = outcome.reason
                log(LogEvent(.warning, .tokensNotRevoked, request: id, reason: reason, fields: more))
            }
        }
    }

    /// Revokes tokens one after the other, also after a failure.
    private func revoke(_ tokens: [String], for sender: ClientAddress) async -> Revocations.Outcome {
        var outcome = Revocations.Outcome()
        for token in tokens {
            do {
                try await revocationCalls.run(for: sender) { try await client.revoke(token) }
                outcome.revoked += 1
            } catch let error as OpenIDError {
                outcome.fail(error.code.rawValue, error.logDetail)
            } catch let refusal as ProviderCalls.Refusal {
                outcome.fail(refusal.reason)
            } catch {
                outcome.fail("upstream-busy")
            }
        }
        return outcome
    }
}
