/// Where the site is: its origin and the prefix under which its routes lie.
///
/// It comes from the configuration alone; `Host` and `X-Forwarded-*` decide nothing (RFC 9700 §2.1).
package struct Mount: Sendable, Equatable {
    /// Scheme, host and port, as a browser writes them in `Origin`.
    package let origin: String
    /// Empty, or a path that begins with a slash and ends without one.
    package let prefix: String

    package init(_ url: WebURL) {
        self.init(origin: url.origin, path: url.path)
    }

    /// Stands in while the rest of a faulty configuration is read; it never leaves the reader.
    static let placeholder = Mount(origin: "", path: "")

    package init(origin: String, path: String) {
        self.origin = origin
        var prefix = path
        while prefix.hasSuffix("/") { prefix.removeLast() }
        self.prefix = prefix
    }

    /// The path of a route below the mount, such as `/login`.
    package func path(_ route: String) -> String { prefix + route }

    /// The callback's absolute URI: the one that must be registered at the provider, to the byte.
    package var redirectURI: String { origin + path("/oauth") }
}
