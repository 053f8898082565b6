import EventLog
import Guard
package import Settings

extension FrontEnd {
    /// Reads the settings that a web server has to agree with.
    ///
    /// - Parameters:
    ///   - sources: the settings; those of LinkedIn are not looked at.
    ///   - locations: paths to guard, as the operator wrote them; none: the example.
    ///   - rules: who may pass, as `SIGNIN_REQUIRE` takes it: one for all locations, or as many in the same order.
    /// - Throws: `ConfigurationError` with all problems of settings, locations and rules.
    package init(_ sources: SettingSources, locations: [String], rules: [String]) throws(ConfigurationError) {
        let locations = locations.isEmpty ? [Self.exampleLocation] : locations
        var reader = SettingsReader(sources)
        let mount = reader.mount()
        let listening = reader.listening()
        let totalTimeout = reader.calling().totalTimeout
        if case .unix(let path) = listening.listen, !PlainPath.isPlain(path) {
            reader.complain(.listen, "“\(path)” cannot stand in a server's configuration: \(PlainPath.rule)")
        }
        let problems =
            sources.problems + reader.problems + GuardedLocation.problems(locations, mount: mount)
            + Self.problems(of: rules, for: locations.count)
        guard problems.isEmpty, let origin = WebURL(mount.origin) else {
            throw ConfigurationError(problems: problems)
        }
        self.origin = origin
        self.mount = mount
        listener = listening.listen
        maxBody = listening.maxBody
        // A sign-in needs several calls, some of them again.
        readTimeout = 6 * totalTimeout + 15
        guarded = locations.enumerated().map { index, path in
            GuardedLocation(path: path, rule: rules.count == 1 ? rules[0] : rules[index])
        }
    }

    private static func problems(of rules: [String], for locations: Int) -> [ConfigurationError.Problem] {
        // None is left out or used for another location: that could open what was meant to be closed.
        let isClear = rules.count == 1 || rules.count == locations
        let message = "there are \(rules.count) for \(locations) locations; give one for all, or one for each"
        return (isClear ? [] : [.init(subject: "--require", message: message)]) + rules.flatMap(problems(of:))
    }

    private static func problems(of rule: String) -> [ConfigurationError.Problem] {
        // Both servers put it between double quotes, and nginx replaces variables there.
        guard rule.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && !#""'\$`{};"#.utf8.contains($0) }) else {
            let message = #"has a character that servers take for their own: only ASCII without " ' \ $ ` { } ;"#
            return [.init(subject: "--require", message: "“\(rule)” \(message)")]
        }
        do throws(Requirement.Invalid) {
            // Lists are for `check`: they may be on another machine than the one where this is printed.
            _ = try Requirement(rule, lists: MemberLists(log: Log { _ in }))
            return []
        } catch {
            return [.init(subject: "--require", message: error.description)]
        }
    }
}
