import EventLog
import HTTP
import OpenID
import Sessions

/// Revokes tokens at the provider after their session has ended here, in the background and without repetition.
///
/// A sign-out neither waits for it nor fails with it. Its calls are limited apart from the calls of sign-ins, so that an
/// endpoint that does not answer delays no sign-in.
enum Revocations {
    /// The maximum number of concurrent calls; more requests wait for a few seconds.
    static let limit = 8
}

extension Site {
    /// The number of calls to the provider in addition to those of sign-ins.
    package static let additionalCalls = Revocations.limit

    /// Begins to revoke the tokens of a session that has ended; returns at once.
    ///
    /// Does nothing if the provider has no revocation endpoint.
    func revoke(_ tokens: Tokens?, of subject: String, for request: Request) {
        guard client.provider.revocationEndpoint != nil, let tokens else { return }
        // The request contains the session cookie, which must not stay in memory.
        let (sender, id) = (request.client, request.id)
        let fields: [LogEvent.Field] = [("subject", subject), ("remote", request.remoteAddress)]
        // The refresh token first: without it, nobody gets another access token.
        let texts = [tokens.refreshToken, tokens.accessToken].compactMap(\.self)
        Task {
            let failure = await failure(toRevoke: texts, for: sender)
            guard let failure else { return log(LogEvent(.info, "tokens-revoked", request: id, fields: fields)) }
            let detail: [LogEvent.Field] = [("detail", failure.detail)]
            let reason = failure.reason
            log(LogEvent(.warning, "tokens-not-revoked", request: id, reason: reason, fields: fields + detail))
        }
    }

    /// Revokes tokens one after the other; the reason code and the detail of a failure, nil after success.
    private func failure(
        toRevoke tokens: [String],
        for sender: ClientAddress
    ) async -> (reason: String, detail: String)? {
        do {
            for token in tokens {
                try await revocationCalls.run(for: sender) { try await client.revoke(token) }
            }
            return nil
        } catch let error as OpenIDError {
            return (error.code.rawValue, error.logDetail)
        } catch let refusal as ProviderCalls.Refusal {
            return (refusal.reason, "")
        } catch {
            return ("upstream-busy", "")
        }
    }
}
