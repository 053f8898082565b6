import EventLog
import HTTP
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// Answers `GET /session`: who is signed in, for the site's own scripts.
    func showSession(_ request: Request) async throws -> Response {
        guard mount.isFromSameSite(request) else {
            log(LogEvent(.warning, .sessionRefused, of: request, reason: "cross-site"))
            return try answers.json(
                .forbidden,
                encoding: APIProblem(error: Problem.Kind.crossSite.rawValue, request: request.id)
            )
        }
        let session = try await gate.acceptedSession(of: request)
        let loginURL = mount.origin + mount.path("/login")
        return try answers.json(.ok, encoding: SessionSummary(session, loginURL: loginURL))
    }
}

/// The parts of a session that scripts may read; it contains no ticket and no token.
struct SessionSummary: Encodable {
    let signedIn: Bool
    var subject: String?
    var name: String?
    var email: String?
    var emailVerified: Bool?
    var expires: String?
    var loginURL: String?

    init(_ session: CheckedSession?, loginURL: String) {
        signedIn = session != nil
        guard let session else {
            self.loginURL = loginURL
            return
        }
        subject = session.identity.uniqueSubject
        name = session.identity.name
        email = session.identity.email
        emailVerified = session.identity.email.map { _ in session.identity.emailVerified }
        expires = session.expires.formatted(.iso8601)
    }

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, expires
        case signedIn = "signed_in"
        case emailVerified = "email_verified"
        case loginURL = "login_url"
    }
}
