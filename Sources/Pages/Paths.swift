internal import HTTP
package import Settings

/// Where the pages' links lead: the product's own locations below its mount prefix.
package struct Paths: Sendable, Equatable {
    package let home: String
    package let login: String
    package let profile: String
    package let logout: String
    /// The site's own home page, which the program's page offers after sign-in; nil if there is none beside ours.
    package let site: String?

    package init(_ mount: Mount, home: Place? = nil) {
        let own = Place.ownHome(mount).text
        self.home = home?.text ?? own
        site = self.home == own ? nil : self.home
        login = mount.path("/login")
        profile = mount.path("/profile")
        logout = mount.path("/logout")
    }

    /// Takes the mount prefix as the configuration checked it: empty or `/`, or like `/account`, with or without the
    /// last slash.
    package init(prefix: String = "", home: Place? = nil) {
        self.init(Mount(origin: "", path: prefix), home: home)
    }

    /// The way to sign in and come back to a local path; the login endpoint, not this link, decides what is local.
    func login(returningTo path: String?) -> String {
        guard let path else { return login }
        return "\(login)?return_to=\(Percent.encode(path))"
    }
}
