package import HTTP

/// The hosts a page may show a member's picture from.
package struct PictureSources: Sendable, Equatable {
    private let extra: [WebAddress]

    /// LinkedIn's own picture hosts alone.
    package static let linkedIn = PictureSources()

    private init() {
        extra = []
    }

    /// Takes more origins beside LinkedIn's, like `https://avatars.example.com` or, for a demo,
    /// `http://127.0.0.1:9000`.
    ///
    /// - Parameter origins: scheme, host and port each, without a path.
    /// - Throws: `InvalidPictureSource` naming the first that is no such origin.
    package init(alsoFrom origins: [String]) throws(InvalidPictureSource) {
        var extra: [WebAddress] = []
        for origin in origins {
            guard let address = WebAddress(origin), address.rest.isEmpty, address.isSecure || address.isLoopback else {
                throw InvalidPictureSource(text: origin)
            }
            extra.append(address)
        }
        self.extra = extra
    }

    /// Whether a picture's address is on one of the hosts.
    package func contains(_ address: WebAddress) -> Bool {
        let isLinkedIn = address.isSecure && address.port == nil && address.host.hasSuffix(".licdn.com")
        return isLinkedIn || extra.contains { $0.origin == address.origin }
    }

    /// The same hosts as the source list of `img-src` (CSP Level 3 §2.3.1).
    package var policy: String {
        (["https://*.licdn.com"] + extra.map(\.origin)).joined(separator: " ")
    }
}

/// A configured picture source that is no https origin.
package struct InvalidPictureSource: Error, Equatable, CustomStringConvertible {
    package let text: String

    package var description: String { "\(text): not an origin like https://avatars.example.com" }
}
