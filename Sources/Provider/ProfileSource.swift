package import EventLog
package import OpenID
package import Sessions

/// Reads the profiles of a provider's members.
package protocol ProfileSource: Sendable {
    /// Whether profiles have a link to the member's page.
    var offersLink: Bool { get }

    /// Whether profiles are userinfo (OpenID Connect Core §5.3), so that userinfo need not be followed by another call.
    var isUserInfo: Bool { get }

    /// Whether the response names the member by the subject of the sign-in.
    ///
    /// If not, only an earlier response for the same session shows whose profile it is.
    var namesSubject: Bool { get }

    /// Makes the Bearer call (RFC 6750 §2.1) and reads the response.
    ///
    /// - Parameters:
    ///   - client: Makes the call.
    ///   - accessToken: The access token of the member.
    ///   - identity: The identity from the ID token; if nil, the response must name the member.
    ///   - knownID: The identifier of the member in an earlier response for the same session.
    ///   - patience: How long to retry while the provider may not know the token yet.
    ///   - log: Receives what the operator should know about a call that succeeded.
    /// - Returns: The profile, always with the subject of `identity`.
    /// - Throws: `OpenIDError`, also if the response is about another member.
    func fetch(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity?,
        knownID: String?,
        patience: OpenIDClient.Patience,
        log: Log
    ) async throws(OpenIDError) -> Profile
}
