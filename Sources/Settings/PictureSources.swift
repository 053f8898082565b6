package import HTTP

/// The hosts from which pages may load members' pictures.
package struct PictureSources: Sendable, Equatable {
    private let extra: [WebAddress]

    /// Only LinkedIn's picture hosts.
    package static let linkedIn = PictureSources()

    private init() {
        extra = []
    }

    /// Adds origins to LinkedIn's, such as `https://avatars.example.com` or, for a demo, `http://127.0.0.1:9000`.
    ///
    /// - Parameter origins: Each has a scheme, a host and an optional port, but no path.
    /// - Throws: `InvalidPictureSource` for the first text that is not such an origin.
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

    /// Whether the address of a picture is on one of these hosts.
    package func contains(_ address: WebAddress) -> Bool {
        let isLinkedIn = address.isSecure && address.port == nil && address.host.hasSuffix(".licdn.com")
        return isLinkedIn || extra.contains { $0.origin == address.origin }
    }

    /// The hosts as a source list for `img-src` (CSP Level 3 §2.3.1).
    package var policy: String {
        (["https://*.licdn.com"] + extra.map(\.origin)).joined(separator: " ")
    }
}

/// The error for a configured picture source that is not an https origin.
package struct InvalidPictureSource: Error, Equatable, CustomStringConvertible {
    package let text: String

    package var description: String { "“\(text)” is not an origin such as https://avatars.example.com" }
}
