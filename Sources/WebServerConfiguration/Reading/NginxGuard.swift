import Guard

/// A location that linkedin-signin guards, recognized by its directives, not by names.
struct NginxGuard {
    let location: NginxLocation
    /// The internal location that asks linkedin-signin.
    let question: NginxLocation
    let server: NginxServer

    /// Nil for a location without a guard, or with the guard of another program.
    init?(_ location: NginxLocation, in server: NginxServer) {
        guard let path = location.asked, let question = server.location(at: path),
            Self.asksToAuthorize(question)
        else { return nil }
        (self.location, self.question, self.server) = (location, question, server)
    }

    /// The identifier of the site, if print-config wrote the guard.
    var site: String? { location.askedSite }

    private static func asksToAuthorize(_ location: NginxLocation) -> Bool {
        let authorize = Action.authorize.rawValue
        return location.parameter(Action.parameter) == authorize
            || location.block.named("set").contains { $0.arguments.dropFirst() == [authorize] }
    }

    /// Whether its rule admits visitors without a session.
    var admitsEverybody: Bool { rule.map(GuardedLocation.admitsEverybody) == true }

    /// The rule that the internal location passes to linkedin-signin; nil if there is none.
    var rule: String? {
        guard let parameter = question.requirement else { return nil }
        guard parameter.hasPrefix("$") else { return parameter }
        // A location does not inherit `set` from another location, but the `set` of the server runs for every request.
        let places = [question.block, location.block, location.scopes[1]]
        return places.lazy.compactMap { $0.value(of: parameter) }.first
    }
}

extension NginxServer {
    var guards: [NginxGuard] { locations.compactMap { NginxGuard($0, in: self) } }
}

extension NginxLocation {
    /// The path of the internal location that `auth_request` names; nil if there is none.
    var asked: String? {
        guard kind != .named, let path = effective("auth_request").last?.arguments.first else { return nil }
        return path == "off" ? nil : path
    }

    /// The identifier of the site whose guard of print-config it has.
    var askedSite: String? { asked.flatMap(Self.printed)?.site }

    /// The identifier of the site and the guarded path in a path that print-config writes for guards; nil for any other path.
    static func printed(_ path: String) -> (site: String, path: String)? {
        let parts = path.split(separator: "/", maxSplits: 2)
        guard parts.count > 1, parts[0] == ".linkedin-signin" else { return nil }
        return (String(parts[1]), "/" + (parts.count > 2 ? parts[2] : ""))
    }
}

/// Files of print-config also set variables for the parameters, which remain if the file with the parameters is lost.
extension NginxLocation {
    /// Whether the location tells linkedin-signin what to do.
    var hasAction: Bool { parameter(Action.parameter) != nil || variable("_action") != nil }

    /// The value or the variable with the rule for linkedin-signin.
    var requirement: String? { parameter("SIGNIN_REQUIRE") ?? variable("_rule") }

    private func variable(_ end: String) -> String? {
        let names = block.named("set").compactMap(\.arguments.first)
        return names.first { $0.hasPrefix("$signin_") && $0.hasSuffix(end) }
    }
}
