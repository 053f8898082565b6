import HTTP
import Pages
import Sessions

extension Site {
    /// Answers `GET /`: the three controls of the original application, in the state for this visitor.
    ///
    /// A member is signed in here if `GET /session` and guarded locations say so too.
    func showHome(_ request: Request) async throws -> Response {
        guard let session = try await session(of: request)?.session, gate.isAccepted(CheckedSession(session)) else {
            return try answers.page(.home(HomePage(nil, source: profileSource, now: now())), for: request)
        }
        return try await home(of: session, request)
    }

    /// The home page of a member, with both buttons that sign out.
    func home(of session: Session, _ request: Request) async throws -> Response {
        // The page is complete without the number.
        let count = try? await sessions.count(of: session.identity.member, now: now())
        let offersTokens = personalTokens?.maximumLife != nil
        let home = HomePage(
            session,
            sessions: count ?? nil,
            source: profileSource,
            offersTokens: offersTokens,
            now: now()
        )
        return try answers.page(.home(home), for: request)
    }
}
