import OpenID
import Pages
import Synchronization

import struct FoundationEssentials.Date

/// The tokens of sign-ins whose first call for the profile failed, so that a retry repeats only that call.
///
/// The state of the sign-in finds them; only the browser with the sign-in cookie can present it. They exist only in
/// memory: after a restart, or on another machine, the member signs in again.
final class UnfinishedSignIns: Sendable {
    struct SignIn: Sendable {
        let tokens: TokenResponse
        /// When the provider issued the tokens.
        let issued: Date

        fileprivate func isCurrent(_ now: Date) -> Bool {
            (0..<UnfinishedSignIns.lifetime).contains(now.timeIntervalSince(issued))
        }
    }

    /// Seconds after which a sign-in is forgotten.
    private static let lifetime = 300.0

    private let limit: Int
    private let signIns = Mutex<[String: SignIn]>([:])

    /// - Parameter limit: The maximum number of sign-ins; the oldest one makes room.
    init(limit: Int = 256) {
        self.limit = limit
    }

    func add(_ signIn: SignIn, for state: String, now: Date) {
        signIns.withLock { signIns in
            signIns = signIns.filter { $0.value.isCurrent(now) }
            if signIns.count >= limit, let oldest = signIns.min(by: { $0.value.issued < $1.value.issued }) {
                signIns[oldest.key] = nil
            }
            signIns[state] = signIn
        }
    }

    /// Removes and returns the sign-in of a state; nil if there is none.
    ///
    /// Of two requests at the same time, only one gets it, so that a sign-in opens one session.
    func take(_ state: String, now: Date) -> SignIn? {
        let signIn = signIns.withLock { $0.removeValue(forKey: state) }
        return signIn.flatMap { $0.isCurrent(now) ? $0 : nil }
    }
}

/// A sign-in that the same address can complete later.
struct SignInPostponed: Error {
    let error: OpenIDError

    /// Nil for an error that would also fail a retry.
    init?(_ error: OpenIDError) {
        switch error.code {
        case .accessTokenRefused, .resourceUnavailable, .keysUnavailable, .busy: self.error = error
        default: return nil
        }
    }

    /// The token was issued seconds ago, so the provider does not know it yet.
    var kind: Problem.Kind { error.code == .accessTokenRefused ? .accessPending : Problem.Kind(error) }
}
