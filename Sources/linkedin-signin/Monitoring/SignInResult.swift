import EventLog
import OpenID
import Provider
import Sessions
import SignIn

/// How a sign-in ended.
enum SignInResult: String, CaseIterable {
    case succeeded
    /// The visitor chose *Cancel* at the provider.
    case cancelled
    /// LinkedIn, this machine or the settings are at fault.
    case failed
    /// The visitor, or a client that never began a sign-in, is at fault: for example a callback without a sign-in cookie, or an
    /// access token that was not accepted.
    case rejected
    /// A limit was reached.
    case refused
    /// The browser signs in again and again without effect.
    case loop

    /// The events that end a sign-in; for a failure, the reason and the level of the event tell more.
    private static let results: [EventName: Self] = [
        .signedIn: .succeeded, .signInRefused: .refused, .signInLoop: .loop,
        .signInFailed: .failed, .tokenRefused: .failed,
    ]
    /// The reasons for which an access token is refused although another attempt may succeed.
    private static let limits = Set(
        ConcurrencyLimit.Refusal.allCases.map(\.rawValue)
            + [SpendOutcome.full, .shareTaken].compactMap { $0.refusal?.reason }
    )

    init?(_ event: EventCounter.Kind) {
        guard let name = event.name, let result = Self.results[name] else { return nil }
        let reason = event.reason ?? ""
        if result != .failed {
            self = result
        } else if name == .signInFailed, reason == AuthorizationErrorCode.cancelled.reason {
            self = .cancelled
        } else if name == .tokenRefused, Self.limits.contains(reason) {
            self = .refused
        } else {
            // An event is an error if its answer has a status of 500 or more.
            self = event.level < .error ? .rejected : .failed
        }
    }
}
