internal import HTTP

/// Where the pages' links lead: the product's own locations below its mount prefix.
package struct Paths: Sendable, Equatable {
    package let home: String
    package let login: String
    package let profile: String
    package let logout: String

    package init(_ mount: Mount, home: Place? = nil) {
        self.home = home?.text ?? Place.ownHome(mount).text
        login = mount.path("/login")
        profile = mount.path("/profile")
        logout = mount.path("/logout")
    }

    /// Takes the mount prefix as the configuration checked it: empty or `/`, or like `/account`, with or without the
    /// last slash.
    package init(prefix: String = "") {
        self.init(Mount(origin: "", path: prefix))
    }

    /// The way to sign in and come back to a local path; the login endpoint, not this link, decides what is local.
    func login(returningTo path: String?) -> String {
        guard let path else { return login }
        return "\(login)?return_to=\(Percent.encode(path))"
    }
}
