import Settings

/// A value in the configuration of lighttpd.
enum LighttpdValue: Sendable, Equatable {
    case text(String)
    case list([Member])

    struct Member: Sendable, Equatable {
        let key: String?
        let value: LighttpdValue
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    var members: [Member] {
        if case .list(let members) = self { return members }
        return []
    }

    /// The last value under a key.
    subscript(_ key: String) -> LighttpdValue? { members.last { $0.key == key }?.value }
}

/// A condition of lighttpd, such as `$HTTP["url"] =^ "/private/"`.
struct LighttpdCondition: Sendable, Equatable {
    /// `HTTP` or `REQUEST_HEADER`, for example.
    let variable: String
    let key: String
    let comparison: String
    let value: String
    /// Whether it is the opposite of a condition that has an `else`.
    var isElse = false

    var text: String {
        isElse ? "else of \(opposite.text)" : "$\(variable)[\"\(key)\"] \(comparison) \"\(value)\""
    }

    /// The condition of its `else`; lighttpd itself does not know the comparisons `!^` and `!$`.
    var opposite: LighttpdCondition {
        let other = (comparison.hasPrefix("!") ? "=" : "!") + comparison.dropFirst()
        return LighttpdCondition(variable: variable, key: key, comparison: other, value: value, isElse: !isElse)
    }

    var isURL: Bool { variable == "HTTP" && key == "url" }
    var isHost: Bool { variable == "HTTP" && key == "host" }
    var isSocket: Bool { variable == "SERVER" && key == "socket" }

    /// Whether it is about what a browser sends, besides the address; print-config has some about header fields of identities.
    var isOfBrowser: Bool {
        let keys: Set = [
            "cookie", "language", "query-string", "querystring", "referer", "request-method", "user-agent", "useragent",
        ]
        let name = key.lowercased()
        switch variable {
        case "HTTP": return keys.contains(name)
        case "REQUEST_HEADER": return !name.replacing("_", with: "-").replacing(".", with: "-").hasPrefix("x-")
        default: return false
        }
    }

    /// Whether it is about the scheme that a proxy in front gets from browsers.
    var isOfProxy: Bool { variable == "REQUEST_HEADER" && key.lowercased() == "x-forwarded-proto" }

    var isQuery: Bool { variable == "HTTP" && ["query-string", "querystring"].contains(key.lowercased()) }

    /// Whether it cannot be judged, because it has an expression that only lighttpd can read.
    var isUnreadable: Bool { comparison.hasSuffix("~") && PathPattern.matches(value, "") == nil }

    /// Whether conditions on what a browser sends hold for requests of a sign-in or sign-out.
    static func verdict(on conditions: [LighttpdCondition]) -> SignInRequests.Verdict {
        var requests: [String] = []
        for condition in conditions {
            switch SignInRequests.verdict(condition.values, condition.holds) {
            case .never: return .never
            case .perhaps: return .perhaps
            case .always(let name): requests.append(name)
            }
        }
        return .always(requests.joined(separator: ", "))
    }

    private var values: [SignInRequests.Value]? {
        switch key.lowercased() {
        case "query-string", "querystring": SignInRequests.queries
        case "referer": SignInRequests.referrers
        case "request-method": SignInRequests.methods
        case "user-agent", "useragent": SignInRequests.browsers
        default: isOfProxy ? SignInRequests.schemes : nil
        }
    }

    /// Whether a condition on the host holds for a value of the field `Host`.
    func admits(authority: String) -> Bool {
        // With == and !=, lighttpd compares the ports only if both texts have one.
        let (host, other) = (value.withoutPort, authority.withoutPort)
        guard ["==", "!="].contains(comparison), host == value || other == authority else {
            return holds(for: authority)
        }
        return (host == other) == (comparison == "==")
    }

    /// Whether a condition on the host may hold for requests to a host, on any port if it names none.
    func mayHold(forHost host: String) -> Bool {
        let mayNamePort = value.contains { $0 == ":" || $0.isNumber } && host.withoutPort == host
        return isUnreadable || mayNamePort && !["==", "!="].contains(comparison) || admits(authority: host)
    }

    /// Whether the condition holds for a host or a path; false for an expression that cannot be read.
    func holds(for text: String) -> Bool {
        switch comparison {
        case "==": return text == value
        case "!=": return text != value
        case "=^": return text.hasPrefix(value)
        case "!^": return !text.hasPrefix(value)
        case "=$": return text.hasSuffix(value)
        case "!$": return !text.hasSuffix(value)
        case "=~": return PathPattern.matches(value, text) ?? false
        case "!~": return PathPattern.matches(value, text) == false
        default: return false
        }
    }

    /// Whether a condition on the path holds for all paths of a location, as far as an expression can be judged.
    func holds(forAllOf location: GuardedLocation) -> Bool {
        guard !comparison.hasPrefix("!") else { return !opposite.mayHold(below: location.path) }
        return [location.path, location.prefix, location.prefix + "x/y.z"].allSatisfy(holds)
    }

    /// Whether the condition may apply to a path with a prefix; true for conditions on anything but the path.
    func mayHold(below prefix: String) -> Bool {
        guard isURL else { return true }
        switch comparison {
        case "==": return value.hasPrefix(prefix)
        case "=^": return value.hasPrefix(prefix) || prefix.hasPrefix(value)
        case "=~": return PathPattern.mayMatch(value, below: prefix)
        default: return true
        }
    }
}

extension String {
    /// A host without the port; the colons of an IPv6 address are in brackets.
    var withoutPort: String { replacing(#/:[0-9]*$/#, with: "") }
}

/// The settings between the braces of a condition, or outside all conditions.
struct LighttpdBlock: Sendable, Equatable {
    var condition: LighttpdCondition?
    var place: SourcePlace
    /// The opposites of the conditions before an `else`, without that of a plain `else`, which is the condition itself.
    var excluded: [LighttpdCondition] = []
    var settings: [Setting] = []
    var blocks: [LighttpdBlock] = []

    struct Setting: Sendable, Equatable {
        let name: String
        let value: LighttpdValue
        let place: SourcePlace
    }

    /// The last setting of a name.
    func setting(_ name: String) -> Setting? { settings.last { $0.name == name } }

    var text: String { condition?.text ?? "the whole configuration" }
}
