/// The settings of the store and of the members in it, for commands that need no others.
package struct StoreSettings: Sendable {
    package let storing: Configuration.Storing
    /// The address of the site; nil if it is not set.
    package let baseURL: String?
    /// The longest life of a personal token in seconds; nil if there are none.
    package let personalTokenLife: Int?
    /// Whether signing out revokes the tokens of the session at the provider.
    package let revokesTokens: Bool

    /// Reads only these settings.
    ///
    /// - Throws: `ConfigurationError` with all problems of these settings and of unknown names.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        var reader = SettingsReader(sources)
        storing = reader.storing(issuers: reader.acceptedIssuers())
        baseURL = reader.siteAddress()
        personalTokenLife = reader.personalTokens
        revokesTokens = reader.revocationEndpoint != nil
        // The secret of the client is not needed here, so a file that only systemd can read does not matter.
        let secrets = [
            Setting.clientSecretFile, Setting.clientSecret, Setting.providerClientSecretFile,
            Setting.providerClientSecret,
        ]
        let known = sources.problems.filter { problem in !secrets.contains { $0.name == problem.subject } }
        let problems = known + sources.mistakes(and: reader.problems)
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}
