import Sessions

import struct FoundationEssentials.Date

/// The parts of a session that scripts may read; it contains no ticket and no token.
struct SessionSummary: Encodable {
    let signedIn: Bool
    var subject: String?
    var name: String?
    var email: String?
    var emailVerified: Bool?
    var expires: String?
    var loginURL: String?

    /// - Parameters:
    ///   - session: The session; nil for a visitor.
    ///   - loginURL: The address where a visitor signs in.
    ///   - trust: Whether the site trusts the addresses of the provider. Without it, no address is verified, as for rules.
    init(_ session: CheckedSession?, loginURL: String, trustingProvider trust: Bool) {
        signedIn = session != nil
        guard let session else {
            self.loginURL = loginURL
            return
        }
        subject = session.identity.uniqueSubject
        name = session.identity.name
        email = session.identity.email
        emailVerified = session.identity.email.map { _ in trust && session.identity.emailVerified }
        expires = session.expires.formatted(.iso8601)
    }

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, expires
        case signedIn = "signed_in"
        case emailVerified = "email_verified"
        case loginURL = "login_url"
    }
}
