/// A page that the operator names in a setting: a path of the site, or an absolute address.
package struct Place: Sendable, Equatable {
    /// What goes into a `Location` or a link.
    package let text: String
    /// Scheme, host and port of an absolute address; nil for a path.
    package let origin: String?

    /// Nil for anything but a local path (`ReturnPath`) or an https URL; http is for loopback only.
    ///
    /// A path cannot be one of the sign-in's own routes, which begin, finish or end a sign-in.
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

    /// The mount's own path: the site's `/` at the root, and the program's page below a prefix.
    package static func ownHome(_ mount: Mount) -> Place { Place(known: mount.path("/")) }

    /// The program's page about having signed out.
    package static func ownSignedOut(_ mount: Mount) -> Place { Place(known: mount.path("/logout")) }
}
