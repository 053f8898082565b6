package import Sessions

/// The settings that decide how pages look; none of them is a secret.
package struct PageSettings: Sendable {
    package var mount: Mount
    /// The name of the site on pages; never empty.
    package var siteName: String
    /// How pages show a provider.
    package struct ShownProvider: Sendable {
        package let id: ProviderID
        package let name: String
        package let logo: Logo?
        package let color: Color?
        /// The problems of the file that adds the provider; empty for the provider of the settings file.
        fileprivate var problems: [ConfigurationError.Problem] = []

        fileprivate init(_ reader: inout SettingsReader) {
            id = ProviderSettings.id(&reader)
            name = ProviderSettings.name(&reader)
            (logo, color) = (reader.providerLogo, reader.providerColor)
        }
    }

    /// The provider of the settings file, then those that files add.
    package var providers: [ShownProvider]
    package var templateDirectory: String?
    package var appearance: Appearance
    package var pictureSources: PictureSources
    /// The target of "Home" links and of a sign-in without a return path.
    package var home: Place
    package var afterSignOut: Place
    /// The contact on the page for a member without access.
    package var contact: String?

    /// Reads these settings as a part of all; the reader notes their problems, except those of the files that add providers.
    init(_ reader: inout SettingsReader, mount: Mount) {
        self.mount = mount
        siteName = reader.siteName ?? WebURL(mount.origin)?.host ?? mount.origin
        providers = [ShownProvider(&reader)]
        for sources in reader.sources.providers {
            var reader = SettingsReader(sources)
            var provider = ShownProvider(&reader)
            provider.problems = sources.problems + reader.problems
            providers.append(provider)
        }
        templateDirectory = reader.templates
        appearance = Appearance(accent: reader.accentColor, logo: reader.logo)
        pictureSources = reader.pictureOrigins
        home = reader.home ?? .ownHome(mount)
        afterSignOut = reader.afterSignOut ?? .ownSignedOut(mount)
        contact = reader.contact
    }

    /// What the operator should know about the page to which a sign-in without a return path leads; nil if a setting names it.
    package var homeNote: String? {
        guard home == .ownHome(mount) else { return nil }
        return
            "SIGNIN_HOME is not set, so a member who signs in at \(mount.path(SitePath.login.rawValue)) comes to the home page of "
            + "linkedin-signin at \(home.text); name the first page of the site, such as SIGNIN_HOME=/members/"
    }

    /// Reads only these settings; without a base URL, the site is `https://example.com`.
    ///
    /// - Throws: `ConfigurationError` with all problems.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        var reader = SettingsReader(sources)
        let mount = reader.isSet(Setting.baseURL) ? reader.baseURL : Mount(origin: "https://example.com", path: "")
        self.init(&reader, mount: mount)
        let problems = sources.problems + reader.problems + providers.flatMap(\.problems)
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}
