import HTTP

/// A link to another site: https, or plain http to this machine.
package struct ExternalLink: Sendable, Hashable {
    /// The normalized URL in ASCII, for `href`.
    package let text: String
    /// The URL without its scheme, for people to read.
    let shown: String

    /// Accepts a text from the provider or the configuration; returns nil for other URLs (`javascript:`, `data:`,
    /// `//host`).
    package init?(_ text: String) {
        guard let address = WebAddress(text), address.isSecure || address.isLoopback else { return nil }
        self.text = address.text
        shown = address.authority + (address.rest == "/" ? "" : address.rest)
    }
}
