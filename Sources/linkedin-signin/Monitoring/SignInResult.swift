import EventLog

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

    private static let limits: Set = ["upstream-busy", "upstream-share", "spent-states-full", "spent-states-share"]

    init?(_ event: EventCounter.Kind) {
        switch (event.name, event.reason) {
        case (.signedIn, _): self = .succeeded
        case (.signInFailed, "provider-cancelled"): self = .cancelled
        case (.signInRefused, _): self = .refused
        case (.tokenRefused, let reason?) where Self.limits.contains(reason): self = .refused
        // An event is an error if its answer has a status of 500 or more.
        case (.signInFailed, _), (.tokenRefused, _): self = event.level < .error ? .rejected : .failed
        case (.signInLoop, _): self = .loop
        default: return nil
        }
    }
}
