import OpenID
import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// The calls for profiles that are not to be made for a while, because one has failed.
///
/// LinkedIn counts calls by the day, and a browser that loops would spend them all. What fails holds back its own session;
/// a throttle holds back every session of the member if it is the member's limit, and everybody if it is the
/// application's. In memory alone, for a call too many after a restart harms nobody.
final class HeldCalls: Sendable {
    private struct Member: Hashable {
        let issuer: String
        let subject: String

        init(_ identity: Identity) {
            issuer = identity.issuer
            subject = identity.subject
        }
    }

    private struct Holder: Hashable {
        let member: Member
        /// When the session began, which is no secret as its ticket is; nil for all sessions of the member.
        let session: Date?

        init(_ session: Session) {
            member = Member(session.identity)
            self.session = session.created
        }

        init(allOf member: Member) {
            self.member = member
            session = nil
        }
    }

    private struct State {
        var everybody: HeldCall?
        var holds: [Holder: HeldCall] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many members and sessions are remembered; the oldest make room.
    init(limit: Int = 4096) {
        self.limit = limit
    }

    /// The failure that stands in for a call; nil if the call may be made.
    ///
    /// Without a session, the call is to open one, and the application's limit alone forbids it.
    func hold(for session: Session?, now: Date) -> HeldCall? {
        state.withLock { state in
            let holders = session.map { [Holder($0), Holder(allOf: Member($0.identity))] } ?? []
            let holds = [state.everybody] + holders.map { state.holds[$0] }
            return holds.compactMap(\.self).filter { $0.isInForce(at: now) }.max { $0.until < $1.until }
        }
    }

    /// Remembers how a call failed.
    ///
    /// LinkedIn's older messages do not name the limit. That two members reach theirs at one time is less likely than that
    /// the application has reached its own, and then nobody else need find out by a call.
    func add(_ hold: HeldCall, for session: Session?) {
        state.withLock { state in
            if hold.limit == .application || isMetByAnother(hold, than: session, in: state) { state.everybody = hold }
            guard let session else { return }
            makeRoom(in: &state, now: hold.since)
            let holder = hold.limit == nil ? Holder(session) : Holder(allOf: Member(session.identity))
            state.holds[holder] = hold
        }
    }

    private func isMetByAnother(_ hold: HeldCall, than session: Session?, in state: State) -> Bool {
        guard hold.limit == .unnamed, let member = session.map({ Member($0.identity) }) else { return false }
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
