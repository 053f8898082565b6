import EventLog
package import HTTP
import OpenID
package import Sessions

/// Revokes tokens at the provider after their session has ended here, in the background and without repetition.
///
/// A sign-out neither waits for it nor fails with it. Its calls are limited apart from the calls of sign-ins, so that an
/// endpoint that does not answer delays no sign-in.
package struct Revocations: Sendable {
    /// The maximum number of concurrent calls.
    package static let limit = 8
    /// The maximum number of sessions whose tokens wait for a call; each has at most two tokens of 8 KiB.
    private static let waiting = 1024

    private let client: OpenIDClient
    private let log: Log
    private let calls: ConcurrencyLimit

    init(client: OpenIDClient, log: Log, continuing predecessor: Revocations?) {
        (self.client, self.log) = (client, log)
        calls = predecessor?.calls ?? ConcurrencyLimit(Self.limit, patience: nil, places: Self.waiting)
    }

    /// Begins to revoke the tokens of a session that has ended; returns immediately.
    ///
    /// Does nothing if the provider has no revocation endpoint.
    ///
    /// - Parameters:
    ///   - tokens: The tokens of the session.
    ///   - member: The member, for the log.
    ///   - sealed: The number of other sessions of the member that ended. Only a session's own cookie opens its tokens, so
    ///     those of other browsers cannot be revoked.
    ///   - request: The request that ended the sessions.
    package func revoke(_ tokens: Tokens?, of member: Member, sealed: Int = 0, for request: Request) {
        guard client.options.revocationEndpoint != nil else { return }
        // The request contains the session cookie, which must not stay in memory.
        let (sender, id) = (request.client, request.id)
        let fields: [LogEvent.Field] = [("subject", member.uniqueSubject), ("remote", request.remoteAddress)]
        if sealed > 0 {
            let more = fields + [("sessions", String(sealed))]
            log(LogEvent(.warning, .tokensNotRevoked, request: id, reason: "tokens-sealed", fields: more))
        }
        // The refresh token first: without it, nobody gets another access token.
        let texts = [tokens?.refreshToken, tokens?.accessToken].compactMap(\.self)
        guard !texts.isEmpty else { return }
        Task {
            let failures = await revoke(texts, for: sender)
            if failures.count < texts.count {
                let more = fields + [("tokens", String(texts.count - failures.count))]
                log(LogEvent(.info, .tokensRevoked, request: id, fields: more))
            }
            if let (reason, detail) = failures.first {
                let more = fields + [("tokens", String(failures.count)), ("detail", detail)]
                log(LogEvent(.warning, .tokensNotRevoked, request: id, reason: reason, fields: more))
            }
        }
    }

    /// Revokes tokens one after the other, also after a failure; returns the reason code and the detail of each failure.
    private func revoke(_ tokens: [String], for sender: ClientAddress) async -> [(reason: String, detail: String)] {
        var failures: [(reason: String, detail: String)] = []
        for token in tokens {
            do {
                try await calls.run(for: sender) { try await client.revoke(token) }
            } catch let error as OpenIDError {
                failures.append((error.code.rawValue, error.logDetail))
            } catch {
                failures.append(((error as? ConcurrencyLimit.Refusal ?? .allTaken).rawValue, ""))
            }
        }
        return failures
    }
}
