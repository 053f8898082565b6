package import EventLog
import HTTP
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
    /// - Parameter call: Whose profile it is, and who asks.
    /// - Returns: The profile, always with the subject of the identity of the call.
    /// - Throws: `OpenIDError`, also if the response is about another member.
    func fetch(_ call: ProfileCall) async throws(OpenIDError) -> Profile
}

/// A call for the profile of one member.
package struct ProfileCall: Sendable {
    /// Makes the call.
    let client: OpenIDClient
    /// The access token of the member.
    let accessToken: String
    /// The identity of the member; nil at a sign-in without an ID token, where the response must name the member.
    let identity: Identity?
    /// The identifier of the member in an earlier response for the same session.
    let knownID: String?
    /// How long to retry while the provider may not know the token yet.
    let patience: OpenIDClient.Patience
    /// Receives what the operator should know about a call that succeeded.
    let log: Log

    package init(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity? = nil,
        knownID: String? = nil,
        patience: OpenIDClient.Patience,
        log: Log
    ) {
        (self.client, self.accessToken, self.patience, self.log) = (client, accessToken, patience, log)
        (self.identity, self.knownID) = (identity, knownID)
    }

    /// Makes the Bearer call to a resource of the provider.
    func response(from address: String, headers: Headers = Headers()) async throws(OpenIDError) -> ClientResponse {
        try await client.resource(address, headers: headers, accessToken: accessToken, patience: patience)
    }
}
