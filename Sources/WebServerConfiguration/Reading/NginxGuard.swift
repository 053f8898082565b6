import Guard

/// A location that nginx asks linkedin-signin about, known by what it does and not by its name.
struct NginxGuard {
    let location: NginxLocation
    /// The location that the question goes to.
    let question: NginxLocation

    /// Nil for a location that asks nobody, or somebody else.
    init?(_ location: NginxLocation, in server: NginxServer) {
        guard let path = Self.question(of: location), let question = server.location(at: path),
            Self.asksToAuthorize(question)
        else { return nil }
        self.location = location
        self.question = question
    }

    /// The address that a location asks before it answers.
    static func question(of location: NginxLocation) -> String? {
        guard location.kind != .named, let path = location.effective("auth_request").last?.arguments.first else {
            return nil
        }
        return path == "off" ? nil : path
    }

    /// The site whose file from print-config has an address that guards ask; nil for any other address.
    static func site(asking path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count > 1, parts[0] == ".linkedin-signin" else { return nil }
        return String(parts[1])
    }

    private static func asksToAuthorize(_ location: NginxLocation) -> Bool {
        let authorize = Action.authorize.rawValue
        if location.parameter(Action.parameter) == authorize { return true }
        return location.directive.block.contains {
            $0.name == "set" && $0.arguments.count == 2 && $0.arguments[1] == authorize
        }
    }

    /// The rule that the question hands over; nil if there is none.
    var rule: String? {
        guard let parameter = question.parameter("SIGNIN_REQUIRE") else { return nil }
        guard parameter.hasPrefix("$") else { return parameter }
        // `set` is inherited by no location from another; those of the server count for every request.
        let places = [question.directive.block, location.directive.block, location.scopes[1]]
        return places.lazy.compactMap { $0.value(of: parameter) }.first
    }
}
