package import OpenID
import Sessions

/// The profiles of an OpenID provider: its userinfo (OpenID Connect Core §5.3).
package struct UserInfoProfiles: ProfileSource {
    package init() {}

    package var offersLink: Bool { false }
    package var isUserInfo: Bool { true }
    package var namesSubject: Bool { true }

    package func fetch(_ call: ProfileCall) async throws(OpenIDError) -> Profile {
        guard let identity = call.identity else {
            throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token")
        }
        let claims = try await call.client.userInfo(
            accessToken: call.accessToken,
            subject: identity.subject,
            justIssued: call.patience != .none
        )
        return Profile(claims, identity: identity)
    }
}
