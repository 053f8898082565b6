import EventLog
import Guard
package import Settings

extension FrontEnd {
    /// Reads the settings that the configuration of a web server depends on.
    ///
    /// - Parameters:
    ///   - sources: The settings; those of LinkedIn are not read.
    ///   - locations: The paths to guard, as the operator wrote them.
    ///   - guardsExample: Whether the example is guarded if there is no location.
    ///   - rules: One rule for all locations, or one for each in the same order.
    ///   - verdictLife: How long nginx keeps verdicts, such as `1s`; nil if it asks about every request.
    /// - Throws: `ConfigurationError` with all problems of the settings, locations and rules.
    package init(
        _ sources: SettingSources,
        locations: [String],
        guardsExample: Bool = true,
        rules: [String],
        verdictLife: String? = nil
    ) throws(ConfigurationError) {
        let locations = locations.isEmpty && guardsExample ? [Self.exampleLocation] : locations
        var reader = SettingsReader(sources)
        (mount, listener, maxBody) = (reader.baseURL, reader.listen, reader.maxBody)
        acceptsTokens = reader.tokenSessions
        let idleLimit = reader.idleLimit
        acceptsPersonalTokens = reader.personalTokens != nil
        let totalTimeout = reader.totalTimeout
        applicationClaims = reader.applicationClaims
        if case .unix(let path) = listener, !PlainPath.isPlain(path) {
            reader.complain(
                Setting.listen,
                "“\(path)” cannot be written into the configuration of a web server: \(PlainPath.rule)"
            )
        }
        let life = verdictLife.map { VerdictLife.reading($0, idleLimit: idleLimit) }
        callbacks = sources.redirectPaths
        let own = SitePath.used(personalTokens: acceptsPersonalTokens).map(\.rawValue) + callbacks
        let routes = Set(own.map(mount.path))
        let problems =
            sources.problems + reader.problems + (life?.problems ?? [])
            + GuardedLocation.problems(locations, routes: routes)
            + Self.problems(of: rules, for: locations.count, sources.ofRules.provider)
        guard problems.isEmpty, let origin = WebURL(mount.origin) else {
            throw ConfigurationError(problems: problems)
        }
        self.origin = origin
        // A sign-in makes several calls and repeats some of them.
        readTimeout = 6 * totalTimeout + 15
        self.verdictLife = try life?.get()
        guarded = locations.enumerated().map { index, path in
            GuardedLocation(path: path, rule: rules.count == 1 ? rules[0] : rules[index])
        }
    }

    private static func problems(
        of rules: [String],
        for locations: Int,
        _ provider: MemberProvider
    ) -> [ConfigurationError.Problem] {
        // A rule that is ignored or used for another location could admit visitors that no rule admits.
        let isClear = rules.count == 1 || rules.count == locations
        let message = "\(rules.count) rules for \(locations) locations: give one rule for all, or one for each"
        return (isClear ? [] : [.init(subject: "--require", message: message)])
            + rules.flatMap { problems(of: $0, provider) }
    }

    private static func problems(of rule: String, _ provider: MemberProvider) -> [ConfigurationError.Problem] {
        // Both web servers have the rule in double quotes, and nginx expands variables there.
        guard rule.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && !#""'\$`{};"#.utf8.contains($0) }) else {
            let message = #"contains a character with a meaning for web servers: use ASCII without " ' \ $ ` { } ;"#
            return [.init(subject: "--require", message: "“\(rule)” \(message)")]
        }
        do throws(Requirement.Invalid) {
            // Only `check` reads lists: this machine may not be the one that has them.
            _ = try Requirement(rule, lists: MemberLists(of: provider, log: Log { _ in }))
            return []
        } catch {
            return [.init(subject: "--require", message: error.description)]
        }
    }
}
