import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers `GET /logout`, which does not end the session.
    ///
    /// A member sees the button that signs out. Other visitors read that only the session here has ended, not the one
    /// at the provider.
    func showSignOut(_ request: Request) async throws -> Response {
        if let session = try await session(of: request)?.session {
            return try await home(of: session, request)
        }
        let query = FormData(parsing: request.query)
        let everywhere = if case .one = query?["everywhere"] { true } else { false }
        return try answers.page(
            .signedOut(returnPath: query.flatMap(mount.destination)?.text, everywhere: everywhere),
            for: request
        )
    }
}
