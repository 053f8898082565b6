/// The settings that decide how pages look; none of them is a secret.
package struct PageSettings: Sendable {
    package var mount: Mount
    package var siteName: String
    package var templateDirectory: String?
    package var appearance: Appearance
    package var pictureSources: PictureSources
    package var home: Place
    package var afterSignOut: Place
    package var contact: String?

    /// The settings of the pages, as they are in a whole configuration.
    package init(_ configuration: Configuration) {
        mount = configuration.mount
        siteName = configuration.siteName
        templateDirectory = configuration.templateDirectory
        appearance = configuration.appearance
        pictureSources = configuration.pictureSources
        home = configuration.home
        afterSignOut = configuration.afterSignOut
        contact = configuration.contact
    }

    /// Reads only these settings; without a base URL, the site is `https://example.com`.
    ///
    /// - Throws: `ConfigurationError` with all problems.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        var reader = SettingsReader(sources)
        mount = reader.isSet(.baseURL) ? reader.mount() : Mount(origin: "https://example.com", path: "")
        siteName = reader.siteName(mount)
        templateDirectory = reader.optional(.templates)
        appearance = reader.appearance()
        pictureSources = reader.pictureSources()
        home = reader.place(.home, mount) ?? .ownHome(mount)
        afterSignOut = reader.place(.afterSignOut, mount) ?? .ownSignedOut(mount)
        contact = reader.optional(.contact)
        let problems = sources.problems + reader.problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}
