import OpenID
import Sessions
import Settings

import struct FoundationEssentials.Date

/// A sign-in under way, which the browser stores in the sealed sign-in cookie.
struct PendingSignIn: Sendable, Equatable {
    /// Seconds after which a sign-in can no longer be completed.
    static let lifetime = 600
    /// Seconds by which the clock of another machine may be ahead.
    private static let clockSkew = 60.0

    /// Contains the random part of the `CarriedState` as its state.
    let attempt: AuthorizationRequest
    /// The provider to which the browser was sent; an answer of another provider is rejected (RFC 9700 §4.4).
    let issuer: String
    /// Nil for the home page or the return path in the state.
    var returnPath: ReturnPath?
    let started: Date
    /// Opens the kept form of this sign-in, if there is one.
    let kept: Ticket?
    /// The scopes that the member is asked for; the settings may name others when the sign-in ends.
    let scopes: [String]

    init(
        attempt: AuthorizationRequest,
        issuer: String,
        returnPath: ReturnPath?,
        started: Date,
        kept: Ticket? = nil,
        scopes: [String] = []
    ) {
        self.attempt = attempt
        self.issuer = issuer
        self.returnPath = returnPath
        self.started = started
        self.kept = kept
        self.scopes = scopes
    }

    var expires: Date { Self.expiry(of: started) }

    func isCurrent(_ now: Date) -> Bool {
        now < expires && started.timeIntervalSince(now) < Self.clockSkew
    }

    /// The time at which a sign-in expires.
    static func expiry(of started: Date) -> Date { started.addingTimeInterval(Double(lifetime)) }

    /// One value per line, the time in milliseconds; no value can contain a line break.
    var bytes: [UInt8] {
        let lines = [
            String(Int64(started.timeIntervalSince1970 * 1000)), attempt.state, attempt.nonce ?? "",
            attempt.codeVerifier ?? "", issuer, returnPath?.text ?? "", kept?.cookieValue ?? "",
            scopes.joined(separator: " "),
        ]
        return [UInt8](lines.joined(separator: "\n").utf8)
    }

    init?(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // An earlier version of the program wrote no scopes.
        guard (7...8).contains(lines.count), let started = Int64(lines[0]) else { return nil }
        attempt = AuthorizationRequest(
            state: lines[1],
            nonce: lines[2].isEmpty ? nil : lines[2],
            codeVerifier: lines[3].isEmpty ? nil : lines[3]
        )
        issuer = lines[4]
        returnPath = ReturnPath(lines[5])
        kept = Ticket(cookieValue: lines[6])
        scopes = lines.count == 8 ? lines[7].split(separator: " ").map(String.init) : []
        self.started = Date(timeIntervalSince1970: Double(started) / 1000)
    }
}
