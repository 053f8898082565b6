import Settings

/// A value of lighttpd's configuration.
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

    /// Whether a path may hold that begins in a certain way; conditions on other things may always hold.
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

/// What stands between the braces of a condition, or around all of them.
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
