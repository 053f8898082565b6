import HTTP

/// A web address as an operator writes one in a configuration: in its normal form, with nothing behind the path.
package struct WebURL: Sendable, Equatable, CustomStringConvertible {
    private let address: WebAddress

    /// Nil for whatever is no `WebAddress`, and for another spelling than its own, query or fragment.
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
    /// From the first slash after the authority; may be empty.
    package var path: String { address.rest }
    /// Whether the host is this machine, where plain http is as good as https.
    package var isLoopback: Bool { address.isLoopback }
    /// Scheme, host and port, as browsers write an `Origin`.
    package var origin: String { address.origin }
    package var description: String { address.text }
}
