import HTTP
import Pages
import Provider
import Sessions

/// `/`: the home page of members and visitors.
final class HomePages: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let offersTokens: Bool

    init(_ context: SiteContext, gate: Gate, offersTokens: Bool) {
        (self.context, self.gate, self.offersTokens) = (context, gate, offersTokens)
    }

    /// Answers `GET /`: the three controls of the original application, in the state for this visitor.
    ///
    /// A member is signed in here if `GET /session` and guarded locations say so too.
    func show(_ request: Request) async throws -> Response {
        guard let session = try await session(of: request)?.session, gate.isAccepted(CheckedSession(session)) else {
            var home = HomePage(nil, source: providers.first.profiles, now: now())
            if providers.areSeveral { home.choice = ProviderChoice(last: LastProvider.id(request.cookies)) }
            return try answers.page(.home(home), for: request)
        }
        return try await page(of: session, request)
    }

    /// The home page of a member, with both buttons that sign out.
    func page(of session: Session, _ request: Request) async throws -> Response {
        // The page is complete without the number.
        let count = try? await store.sessions.count(of: session.identity.member, now: now())
        let home = HomePage(
            session,
            sessions: count ?? nil,
            source: (providers.provider(of: session) ?? providers.first).profiles,
            offersTokens: offersTokens,
            now: now()
        )
        return try answers.naming(session.identity.provider).page(.home(home), for: request)
    }
}
