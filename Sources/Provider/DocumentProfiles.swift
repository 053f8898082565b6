import HTTP
package import OpenID
import Sessions

/// The profiles of a plain OAuth 2.0 server: a JSON document about the member of an access token.
///
/// The program got the access token from the server itself a moment ago, so the document names the member who signed in. A
/// token that somebody else sends proves nothing (RFC 6749 §10.16) and needs `OpenIDClient.introspect`.
package struct DocumentProfiles: ProfileSource {
    /// Adds what the server has in other documents.
    package typealias Completion = @Sendable (inout MemberClaims, ProfileCall) async throws(OpenIDError) -> Void

    private let paths: ClaimPaths
    private let complete: Completion

    /// - Parameters:
    ///   - paths: Where the document has what.
    ///   - complete: Adds what the server has in other documents.
    package init(
        _ paths: ClaimPaths,
        completedBy complete: @escaping Completion = { _, _ throws(OpenIDError) in }
    ) {
        (self.paths, self.complete) = (paths, complete)
    }

    package var offersLink: Bool { paths.profile != nil }
    package var isUserInfo: Bool { false }
    package var namesSubject: Bool { true }

    package func fetch(_ call: ProfileCall) async throws(OpenIDError) -> Profile {
        let response = try await call.response(from: call.client.options.userinfoEndpoint ?? "")
        guard let document = JSON(parsing: response.body)?.objectValue else {
            throw OpenIDError(.resourceMalformed, detail: "the profile is not a JSON object")
        }
        // Some servers send errors with the status 200.
        guard document["error"] ?? .null == .null else {
            throw OpenIDError(.resourceMalformed, detail: "the profile is an error with the status 200")
        }
        guard var claims = paths.claims(in: document) else {
            throw OpenIDError(.resourceMalformed, detail: "the profile has no subject at \(paths.subject)")
        }
        guard call.identity.map({ $0.subject == claims.subject }) ?? true else {
            throw OpenIDError(.subjectMismatch, detail: "the subject is not that of the sign-in")
        }
        try await complete(&claims, call)
        return Profile(claims)
    }
}

extension Profile {
    /// The profile of a member without an ID token.
    fileprivate init(_ claims: MemberClaims) {
        self.init(
            subject: claims.subject,
            name: claims.name,
            email: claims.email,
            emailVerified: claims.email == nil ? nil : claims.emailVerified,
            picture: claims.picture.flatMap(Self.link),
            profileURL: claims.profile.flatMap(Self.link),
            claims: claims
        )
    }
}
