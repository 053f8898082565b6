import HTTP
import Sessions

extension Site {
    /// `GET /`: the three controls of the original application, in the state that fits the visitor.
    func showHome(_ request: Request) async throws -> Response {
        let session = try await session(of: request)?.session
        if session == nil, request.query == Self.signedOutMark {
            return try page(.signedOut, for: request)
        }
        return try page(.home(HomePage(session, source: profileSource)), for: request)
    }

    /// The query with which signing out leads home, so that a reload signs nobody out again.
    static let signedOutMark = "signed-out"
}
