import HTTP
import Pages
import Sessions

extension Site {
    /// Answers `GET /`: the three controls of the original application, in the state for this visitor.
    func showHome(_ request: Request) async throws -> Response {
        let session = try await session(of: request)?.session
        return try page(.home(HomePage(session, source: profileSource)), for: request)
    }
}
