package import EventLog
package import OpenID
package import Sessions

/// The profiles of an OpenID provider: its userinfo (OpenID Connect Core §5.3).
package struct UserInfoProfiles: ProfileSource {
    package init() {}

    package var offersLink: Bool { false }
    package var isUserInfo: Bool { true }
    package var namesSubject: Bool { true }

    package func fetch(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity?,
        knownID: String?,
        patience: OpenIDClient.Patience,
        log: Log
    ) async throws(OpenIDError) -> Profile {
        guard let identity else { throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token") }
        let claims = try await client.userInfo(
            accessToken: accessToken,
            subject: identity.subject,
            justIssued: patience != .none
        )
        return Profile(claims, identity: identity)
    }
}
