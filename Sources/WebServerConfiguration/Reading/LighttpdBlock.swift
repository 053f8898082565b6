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

    var text: String { "$\(variable)[\"\(key)\"] \(comparison) \"\(value)\"" }

    var isURL: Bool { variable == "HTTP" && key == "url" }
    var isHost: Bool { variable == "HTTP" && key == "host" }

    /// Whether the condition holds for a host; false for an expression that cannot be read.
    func holds(forHost host: String) -> Bool {
        switch comparison {
        case "==": return host == value
        case "!=": return host != value
        case "=^": return host.hasPrefix(value)
        case "=$": return host.hasSuffix(value)
        case "=~": return (try? Regex(value)).map { host.firstMatch(of: $0) != nil } ?? false
        case "!~": return (try? Regex(value)).map { host.firstMatch(of: $0) == nil } ?? false
        default: return false
        }
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

/// The settings between the braces of a condition, or outside all conditions.
struct LighttpdBlock: Sendable, Equatable {
    var condition: LighttpdCondition?
    var place: SourcePlace
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
