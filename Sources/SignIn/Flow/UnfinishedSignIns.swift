import OpenID
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
        /// A name beside the code, which is not signed; shown if the ID token has none.
        var name: String?
    }

    private struct Entry {
        let number: UInt64
        let signIn: SignIn
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var last: UInt64 = 0
    }

    private let limit: Int
    private let lifetime: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The maximum number of sign-ins; the oldest one makes room.
    ///   - lifetime: How long the tokens of a sign-in stay in memory.
    init(limit: Int = 256, lifetime: Duration = .seconds(300)) {
        self.limit = limit
        self.lifetime = lifetime
    }

    var count: Int { state.withLock { $0.entries.count } }

    private func isCurrent(_ signIn: SignIn, _ now: Date) -> Bool {
        (0..<lifetime / .seconds(1)).contains(now.timeIntervalSince(signIn.issued))
    }

    func add(_ signIn: SignIn, for state: String, now: Date) {
        let number = self.state.withLock { kept in
            kept.entries = kept.entries.filter { isCurrent($0.value.signIn, now) }
            let oldest = kept.entries.min { $0.value.signIn.issued < $1.value.signIn.issued }
            if kept.entries.count >= limit, let oldest { kept.entries[oldest.key] = nil }
            kept.last += 1
            kept.entries[state] = Entry(number: kept.last, signIn: signIn)
            return kept.last
        }
        // The tokens must not stay in memory until somebody else fails to sign in.
        Task { [weak self, lifetime] in
            try? await Task.sleep(for: lifetime)
            self?.forget(number, of: state)
        }
    }

    private func forget(_ number: UInt64, of state: String) {
        self.state.withLock { kept in
            if kept.entries[state]?.number == number { kept.entries[state] = nil }
        }
    }

    /// Removes and returns the sign-in of a state; nil if there is none.
    ///
    /// Of two requests at the same time, only one gets it, so that a sign-in opens one session.
    func take(_ state: String, now: Date) -> SignIn? {
        let signIn = self.state.withLock { $0.entries.removeValue(forKey: state) }?.signIn
        return signIn.flatMap { isCurrent($0, now) ? $0 : nil }
    }
}
