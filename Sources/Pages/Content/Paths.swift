internal import HTTP
import Sessions
package import Settings

/// The address of the site, and the targets of links on pages: the program's routes below the mount, and the home page of the
/// site.
package struct Paths: Sendable, Equatable {
    /// The address of the site in the settings, without a slash at its end.
    package let address: String
    package let home: String
    package let login: String
    package let profile: String
    package let logout: String
    package let forget: String
    package let tokens: String
    package let resume: String
    package let language: String
    /// The home page of the site, which the program's home page offers after sign-in; nil if it is the program's.
    package let site: String?

    package init(_ mount: Mount, home: Place? = nil) {
        address = mount.baseURL
        let own = Place.ownHome(mount).text
        self.home = home?.text ?? own
        // Above a prefix, there is another site.
        site = self.home != own ? self.home : mount.prefix.isEmpty ? nil : "/"
        login = mount.path("/login")
        profile = mount.path("/profile")
        logout = mount.path("/logout")
        forget = mount.path("/forget")
        tokens = mount.path(SitePath.tokens.rawValue)
        resume = mount.path(SitePath.resume.rawValue)
        language = mount.path(SitePath.language.rawValue)
    }

    /// Accepts a mount prefix that the configuration has validated: empty, `/`, or a path such as `/account`, with or
    /// without a final slash.
    package init(prefix: String = "", home: Place? = nil) {
        self.init(Mount(origin: "", path: prefix), home: home)
    }

    /// Returns the link that shows a page in another language.
    func language(_ language: Language, returningTo path: String) -> String {
        "\(self.language)?tag=\(language.tag)&return_to=\(Percent.encode(path))"
    }

    /// Returns the sign-in link that returns to a path; the sign-in route checks that the path is local.
    func login(returningTo path: String?, at provider: ProviderID? = nil) -> String {
        let fields = [provider.map { "provider=\($0)" }, path.map { "return_to=\(Percent.encode($0))" }].compactMap(
            \.self
        )
        return fields.isEmpty ? login : "\(login)?\(fields.joined(separator: "&"))"
    }
}
