import HTTP

/// A link to another site that a page may carry: https, or plain http to this machine itself.
package struct ExternalLink: Sendable, Hashable {
    /// ASCII, normalised; what goes into `href`.
    package let text: String
    /// The same without its scheme, for people to read.
    let shown: String

    /// Takes what a provider or a configuration says; nil if it is no such link (`javascript:`, `data:`, `//host`, …).
    package init?(_ text: String) {
        guard let address = WebAddress(text), address.isSecure || address.isLoopback else { return nil }
        self.text = address.text
        shown = address.authority + (address.rest == "/" ? "" : address.rest)
    }
}
