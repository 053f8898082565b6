import HTTP
package import Settings

/// The URL of a member's picture on an allowed host.
package struct PictureURL: Sendable, Hashable {
    /// The normalized URL in ASCII, for `src`.
    package let text: String

    /// Accepts a text from the provider; returns nil if it is not a URL on an allowed host.
    package init?(_ text: String, from sources: PictureSources) {
        guard let address = WebAddress(text), sources.contains(address) else { return nil }
        self.text = address.text
    }
}
