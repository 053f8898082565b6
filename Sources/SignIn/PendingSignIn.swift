import OpenID
import Sessions
import Settings

import struct FoundationEssentials.Date

/// A sign-in under way, as the browser carries it sealed in a cookie.
struct PendingSignIn: Sendable, Equatable {
    /// Seconds until it is too old to finish.
    static let lifetime = 600
    /// Seconds by which another machine's clock may be ahead.
    private static let clockSkew = 60.0

    /// Its state is the random part of the `CarriedState`.
    let attempt: AuthorizationRequest
    /// Where the browser was sent, so that an answer of another provider is refused (RFC 9700 §4.4).
    let issuer: String
    /// Nil: home, or the address that the state carries.
    var returnPath: ReturnPath?
    let started: Date
    /// What opens the form that was sent before signing in, if one is kept.
    let kept: Ticket?

    init(
        attempt: AuthorizationRequest,
        issuer: String,
        returnPath: ReturnPath?,
        started: Date,
        kept: Ticket? = nil
    ) {
        self.attempt = attempt
        self.issuer = issuer
        self.returnPath = returnPath
        self.started = started
        self.kept = kept
    }

    var expires: Date { Self.expiry(of: started) }

    func isCurrent(_ now: Date) -> Bool {
        now < expires && started.timeIntervalSince(now) < Self.clockSkew
    }

    /// When a sign-in that began at a time is too old.
    static func expiry(of started: Date) -> Date { started.addingTimeInterval(Double(lifetime)) }

    /// One value a line, the time in milliseconds; none can hold a line break.
    var bytes: [UInt8] {
        let lines = [
            String(Int64(started.timeIntervalSince1970 * 1000)), attempt.state, attempt.nonce ?? "",
            attempt.codeVerifier ?? "", issuer, returnPath?.text ?? "", kept?.cookieValue ?? "",
        ]
        return [UInt8](lines.joined(separator: "\n").utf8)
    }

    init?(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 7, let started = Int64(lines[0]) else { return nil }
        attempt = AuthorizationRequest(
            state: lines[1],
            nonce: lines[2].isEmpty ? nil : lines[2],
            codeVerifier: lines[3].isEmpty ? nil : lines[3]
        )
        issuer = lines[4]
        returnPath = ReturnPath(lines[5])
        kept = Ticket(cookieValue: lines[6])
        self.started = Date(timeIntervalSince1970: Double(started) / 1000)
    }
}
