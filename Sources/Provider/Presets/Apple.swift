import HTTP
package import OpenID

/// Sign in with Apple, where it differs from other OpenID providers.
package enum Apple {
    /// The scopes that Apple documents; it sends an ID token without the scope `openid` too.
    package static let scopes = ["name", "email"]
    /// The maximum length of each part of a name, in bytes; both together are not longer than the name of an ID token.
    private static let limit = 255

    /// Adapts the options of a provider to Apple.
    ///
    /// - Parameter options: the options to change; they have the scopes already.
    package static func adapt(_ options: inout ProtocolOptions) {
        options.clientAuthentication = .post
        options.sendsLogoutTokens = false
        // With one of these scopes, Apple rejects every other response mode.
        options.usesFormPost = options.scopes.contains(where: scopes.contains)
        options.dialect.authorizationErrors["user_cancelled_authorize"] = .cancelled
        options.dialect.displayName = name
    }

    /// The name in `user`, which Apple adds to the first callback of a member only.
    private static func name(in form: FormData) -> String? {
        guard case .one(let user) = form["user"], let name = JSON(parsing: Array(user.utf8))?["name"] else {
            return nil
        }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.text(limit: limit) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
