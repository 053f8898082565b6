/// A page named in a setting: a path of the site or an absolute URL.
package struct Place: Sendable, Equatable {
    /// The text for a `Location` header or a link.
    package let text: String
    /// Scheme, host and port of an absolute URL; nil for a path.
    package let origin: String?

    /// Accepts a local path (`ReturnPath`) or an https URL, and http for loopback only; returns nil for other texts.
    ///
    /// The routes that start or finish a sign-in or sign out are rejected too.
    init?(_ text: String, mount: Mount) {
        if let path = ReturnPath(text) {
            guard path.isDestination(mount: mount) else { return nil }
            origin = nil
        } else {
            guard let url = WebURL(text), url.isSecure || url.isLoopback else { return nil }
            origin = url.origin
        }
        self.text = text
    }

    private init(known path: String) {
        text = path
        origin = nil
    }

    /// The path of the mount with a final slash: `/` of the site, or the program's home page below a prefix.
    package static func ownHome(_ mount: Mount) -> Place { Place(known: mount.path("/")) }

    /// The program's sign-out page.
    package static func ownSignedOut(_ mount: Mount) -> Place { Place(known: mount.path("/logout")) }
}
