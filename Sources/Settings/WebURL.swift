import HTTP

/// A URL from the configuration: in its normalized form, without query and fragment.
package struct WebURL: Sendable, Equatable, CustomStringConvertible {
    private let address: WebAddress

    /// Returns nil for a text that is not a `WebAddress`, is not normalized, or has a query or fragment.
    package init?(_ text: String) {
        guard let address = WebAddress(text), text.hasPrefix(address.scheme), text.hasSuffix(address.rest),
            !address.rest.contains(where: { $0 == "?" || $0 == "#" })
        else { return nil }
        self.address = address
    }

    package var isSecure: Bool { address.isSecure }
    /// A lower-case name or IPv4 address, or `[::1]`.
    package var host: String { address.host }
    package var port: Int? { address.port }
    /// The path, from the first slash after the authority; may be empty.
    package var path: String { address.rest }
    /// Whether the host is this machine, where plain http is as safe as https.
    package var isLoopback: Bool { address.isLoopback }
    /// Scheme, host and port, as a browser sends them in `Origin`.
    package var origin: String { address.origin }
    package var description: String { address.text }
}
