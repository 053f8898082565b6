import HTTP
package import Settings

/// The address of a member's picture, on a host that pages may load pictures from.
package struct PictureURL: Sendable, Hashable {
    /// ASCII, normalised; what goes into `src`.
    package let text: String

    /// Takes what a provider says; nil if it is no address on one of the allowed hosts.
    package init?(_ text: String, from sources: PictureSources) {
        guard let address = WebAddress(text), sources.contains(address) else { return nil }
        self.text = address.text
    }
}
