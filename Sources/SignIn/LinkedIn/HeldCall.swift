import OpenID
import Pages
import Sessions

import struct FoundationEssentials.Date

/// A failure that stands in for the calls which would follow it.
struct HeldCall: Error {
    let kind: Problem.Kind
    /// The failure's code, for the log.
    let reason: String
    /// Whose limit a throttle was about; nil for any other failure.
    let limit: Throttle.Limit?
    let since: Date
    let until: Date

    /// Nil for a call that was not made, because too many were under way.
    ///
    /// LinkedIn may refuse a new token for some ten seconds.
    init?(_ error: OpenIDError, isNewToken: Bool, now: Date) {
        let seconds: Int
        switch error.code {
        case .busy: return nil
        case .throttled, .tokenThrottled: seconds = error.throttle?.retryAfter ?? 600
        case .accessTokenRefused where isNewToken: seconds = 10
        default: seconds = 60
        }
        kind = Problem.Kind(error)
        reason = error.code.rawValue
        limit = error.throttle?.limit
        since = now
        until = now.addingTimeInterval(Double(seconds))
    }

    /// A profile that was fetched and could not be stored: the next call would be as much in vain.
    ///
    /// Nil where somebody else holds the session, and calls for it.
    init?(_ error: StoreError, now: Date) {
        guard error.code != .locked else { return nil }
        kind = .storeUnavailable
        reason = "store-\(error.code.rawValue)"
        limit = nil
        since = now
        until = now.addingTimeInterval(30)
    }

    /// False also before it began: the clock was set back, and nobody is to wait for it to come round again.
    func isInForce(at now: Date) -> Bool {
        since <= now && now < until
    }

    /// Seconds that are left of it, 1 at least.
    func remaining(at now: Date) -> Int {
        max(1, Int(until.timeIntervalSince(now).rounded(.up)))
    }
}
