import Encoding
import Settings

/// A guarded part of the site.
///
/// `/private/` guards every path with this prefix. `/private` guards the path itself and every path below it, but not
/// `/privateer`.
package struct GuardedLocation: Sendable, Equatable {
    /// The path as the operator wrote it, with or without a slash at the end.
    let path: String
    /// The rule, as `SIGNIN_REQUIRE` has it.
    let rule: String

    /// What the command that prints a guard again has in place of a rule that is lost: print-config rejects it.
    static let unknownRule = "RULE"

    /// The path itself if it has no slash at the end, else nil.
    var exact: String? { path.hasSuffix("/") ? nil : path }

    /// The prefix of all other guarded paths.
    var prefix: String { path.hasSuffix("/") ? path : path + "/" }

    /// Whether the rule admits visitors without a session.
    var admitsEverybody: Bool { Self.admitsEverybody(rule) }

    /// Whether a rule admits visitors without a session.
    static func admitsEverybody(_ rule: String) -> Bool { rule.split(separator: " ").contains("anyone") }

    func guards(_ other: String) -> Bool { other == exact || other.hasPrefix(prefix) }
}

extension GuardedLocation {
    /// Finds paths that cannot be guarded.
    ///
    /// - Parameters:
    ///   - paths: The paths, as the operator wrote them.
    ///   - routes: The program's own paths.
    /// - Returns: A problem for each such path.
    static func problems(_ paths: [String], routes: Set<String>) -> [ConfigurationError.Problem] {
        var seen: Set<String> = []
        return paths.compactMap { path in
            let location = GuardedLocation(path: path, rule: "")
            let isNew = seen.insert(location.prefix).inserted
            let message: String
            if !PlainPath.isPlain(path) {
                message = "“\(path)” cannot be guarded: \(PlainPath.rule)"
            } else if let exact = location.exact, routes.contains(exact) {
                message = "“\(path)” is a path of linkedin-signin itself and must stay open"
            } else if !isNew {
                message = "“\(path)” is given twice"
            } else {
                return nil
            }
            return .init(subject: "--location", message: message)
        }
    }

    /// Names the program's own pages below the path, which stay open.
    ///
    /// - Parameter visited: The paths of all these pages.
    /// - Returns: The note; nil if no such page is below the path.
    func note(visited: [String]) -> String? {
        let open = visited.filter(guards)
        guard !open.isEmpty else { return nil }
        return "--location \(path) contains pages of linkedin-signin, which stay open: \(open.joined(separator: " "))"
    }
}

extension [GuardedLocation] {
    /// The options of print-config for these locations, each after a space; a location that is given twice has them once.
    var options: String {
        let words = map { " --location \(ShellWord.quoted($0.path)) --require \(ShellWord.quoted($0.rule))" }
        return words.enumerated().filter { words.firstIndex(of: $0.element) == $0.offset }.map(\.element).joined()
    }
}
