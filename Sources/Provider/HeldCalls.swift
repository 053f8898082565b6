import OpenID
package import Sessions
import Synchronization

package import struct FoundationEssentials.Date

/// Holds back calls for profiles after a failure.
///
/// LinkedIn limits calls per day, and a browser in a loop would use them all. A failure holds back its own session. A
/// throttle holds back all sessions of the member if it is the member's limit, and all members if it is the
/// application's limit. Holds exist only in memory, because one extra call after a restart does no harm.
package final class HeldCalls: Sendable {
    private struct Holder: Hashable {
        let member: Member
        /// The start of the session, which is not secret, unlike its ticket; nil for all sessions of the member.
        let session: Date?
    }

    private struct State {
        var everybody: HeldCall?
        var holds: [Holder: HeldCall] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of members and sessions; the oldest one makes room.
    package init(limit: Int = 4096) {
        self.limit = limit
    }

    /// The failure that holds back a call; nil if the call may be made.
    ///
    /// A call without a session is part of a sign-in. Only the application's limit holds it back.
    package func hold(for session: Session?, now: Date) -> HeldCall? {
        state.withLock { state in
            let holders = session.map { session in
                [session.created, nil].map { Holder(member: session.identity.member, session: $0) }
            }
            let holds = [state.everybody] + (holders ?? []).map { state.holds[$0] }
            return holds.compactMap(\.self).filter { $0.isInForce(at: now) }.max { $0.until < $1.until }
        }
    }

    /// How many failures hold back calls.
    package func count(at now: Date) -> Int {
        state.withLock { state in
            let all = state.holds.values + [state.everybody].compactMap(\.self)
            return all.count { $0.isInForce(at: now) }
        }
    }

    /// Remembers how a call failed.
    ///
    /// LinkedIn's older messages do not name the limit. If two members are throttled at the same time, the application
    /// has probably reached its own limit, so all calls are held back.
    package func add(_ hold: HeldCall, for session: Session?) {
        state.withLock { state in
            if hold.limit == .application || isMetByAnother(hold, than: session, in: state) { state.everybody = hold }
            guard let session else { return }
            makeRoom(in: &state, now: hold.since)
            let isOfSession = hold.limit == nil
            state.holds[Holder(member: session.identity.member, session: isOfSession ? session.created : nil)] = hold
        }
    }

    private func isMetByAnother(_ hold: HeldCall, than session: Session?, in state: State) -> Bool {
        guard hold.limit == .unnamed, let member = session.map({ $0.identity.member }) else { return false }
        return state.holds.contains { holder, other in
            holder.member != member && other.limit == .unnamed && other.isInForce(at: hold.since)
        }
    }

    private func makeRoom(in state: inout State, now: Date) {
        guard state.holds.count >= limit else { return }
        state.holds = state.holds.filter { $0.value.isInForce(at: now) }
        guard state.holds.count >= limit, let oldest = state.holds.min(by: { $0.value.since < $1.value.since }) else {
            return
        }
        state.holds[oldest.key] = nil
    }
}
