package import Sessions

/// The origin of the site and the prefix of the program's routes.
///
/// Both come only from the configuration; `Host` and `X-Forwarded-*` have no effect (RFC 9700 §2.1).
package struct Mount: Sendable, Equatable {
    /// Scheme, host and port, as a browser sends them in `Origin`.
    package let origin: String
    /// Empty, or a path that starts with a slash and does not end with one.
    package let prefix: String
    /// The providers that files add; the site has a redirect address for each of them.
    package var addedProviders: Set<ProviderID> = []

    package init(_ url: WebURL) {
        self.init(origin: url.origin, path: url.path)
    }

    /// Replaces an invalid mount while the other settings are read; a valid configuration never contains it.
    static let placeholder = Mount(origin: "", path: "")

    package init(origin: String, path: String) {
        self.origin = origin
        var prefix = path
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix
    }

    /// The path of a route below the mount, such as `/login`.
    package func path(_ route: String) -> String { prefix + route }

    /// The address of the site, without a slash at its end.
    package var baseURL: String { origin + prefix }

    /// The absolute URI of the callback; the URI registered at the provider must be identical, byte for byte.
    package var redirectURI: String { origin + path("/oauth") }
}
