package import HTTP

package import struct FoundationEssentials.Date

/// Where the messages of a provider differ from the standards; by default nowhere.
package struct Dialect: Sendable {
    /// What a provider refuses with an error of its token endpoint.
    package enum TokenRefusal: Sendable {
        /// The client identifier or secret.
        case client
        /// The code or token that was sent.
        case grant
        /// A code, or a token that is to be revoked. No refresh token, which this error does not end.
        case code
    }

    /// The meaning of the authorization errors that RFC 6749 §4.1.2.1 does not define, or defines otherwise.
    package var authorizationErrors: [String: AuthorizationErrorCode] = [:]
    /// The meaning of a token error, of which RFC 6749 §5.2 gives none or another one, from its name and description.
    package var tokenRefusal: @Sendable (_ error: String, _ description: String) -> TokenRefusal? = { _, _ in nil }
    /// Accepts a token response without `token_type`.
    package var allowsMissingTokenType = false
    /// The characters that separate the scopes of a response (RFC 6749 §3.3).
    package var scopeSeparators: Set<Character> = [" "]
    /// Accepts the header `zip` of an ID token if it repeats `alg`.
    package var repeatsAlgorithm = false
    package var introspection = Introspection()
    /// The claims of which each says, with `true`, that the provider verified the e-mail address.
    package var verifiedEmailClaims = ["email_verified"]
    /// The name of a member in an authorization response that is a form: not signed, for display only.
    package var displayName: @Sendable (FormData) -> String? = { _ in nil }
    /// Whether the provider may accept a token later that it refuses with this response, because it issued it just now.
    package var mayAcceptTokenLater: @Sendable (ClientResponse) -> Bool = { _ in false }
    /// Header fields of each call for a resource.
    package var resourceFields: [(name: HeaderName, value: String)] = []
    /// Whether a resource answers 404 to a call without the permission, so that nobody learns whether it exists.
    package var hidesDenials = false
    /// Seconds to wait after a response with the status 403 or 429 that is about a limit of calls; nil for another response.
    package var wait: @Sendable (ClientResponse, _ now: Date) -> Int? = { _, _ in nil }
    /// Whether a resource does not support the requested version of its API.
    package var rejectsVersion: @Sendable (ClientResponse) -> Bool = { _ in false }
    /// The limit that a response with the status 429 is about.
    package var throttledLimit: @Sendable (ClientResponse) -> Throttle.Limit = { _ in .unnamed }
    /// What the operator can do about an error callback, from the scope that it names and all requested scopes.
    package var advice: (@Sendable (AuthorizationErrorCode, _ scope: String?, _ requested: [String]) -> String)?

    package init() {}

    /// The scopes in the member of a response; nil if it is not a string.
    func scopes(_ member: JSON?) -> [String]? {
        member?.stringValue?.split(whereSeparator: scopeSeparators.contains).map(String.init)
    }

    /// The members of an introspection response that RFC 7662 §2.2 does not define.
    package struct Introspection: Sendable {
        /// The member that says whether the token is `active`, `expired` or `revoked`; nil if there is none.
        package var status: String?
        /// The member with the time at which the token expires, in place of `exp`.
        package var expiry: String?
        /// The member with the kind of the token, and its value for a token of a member; nil if there is none.
        package var kind: (name: String, ofMember: String)?

        package init() {}
    }
}
