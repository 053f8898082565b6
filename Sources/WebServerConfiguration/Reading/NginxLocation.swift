/// A `location` of nginx with the blocks around it.
struct NginxLocation {
    enum Kind: Equatable {
        /// `= /path`
        case exact
        /// `/path`; nginx prefers a regular expression that matches.
        case prefix
        /// `^~ /path`
        case finalPrefix
        case expression(ignoresCase: Bool)
        /// `@name`
        case named
    }

    let kind: Kind
    let path: String
    let directive: NginxDirective
    /// The blocks around it, outermost first, and its own block last.
    let scopes: [[NginxDirective]]

    init(_ directive: NginxDirective, within outer: [[NginxDirective]]) {
        self.directive = directive
        scopes = outer + [directive.block]
        let words = directive.arguments
        let signs = ["~*", "~", "^~", "="]
        let joined = signs.first { words.count == 1 && words[0].hasPrefix($0) }
        let sign = words.count > 1 ? words[0] : joined ?? ""
        path = words.count > 1 ? words[1] : String((words.first ?? "").dropFirst(sign.count))
        kind =
            switch sign {
            case "=": .exact
            case "^~": .finalPrefix
            case "~": .expression(ignoresCase: false)
            case "~*": .expression(ignoresCase: true)
            default: path.hasPrefix("@") ? .named : .prefix
            }
    }

    var place: SourcePlace { directive.place }
    var text: String { directive.text }
    var block: [NginxDirective] { directive.block }

    /// The number of locations around it; -1 for a `server`.
    var depth: Int { scopes.count - 3 }

    /// Whether it is for all paths with a prefix.
    var isPrefix: Bool { kind == .prefix || kind == .finalPrefix }

    var isExpression: Bool {
        if case .expression = kind { return true }
        return false
    }

    /// Whether it is a regular expression that may match a path with a prefix.
    func mayMatch(below prefix: String) -> Bool {
        guard case .expression(let ignoresCase) = kind else { return false }
        return PathPattern.mayMatch(path, below: prefix, ignoringCase: ignoresCase)
    }

    /// Whether nginx rejects each request for it.
    var rejectsAll: Bool {
        block.contains(where: \.isRejection)
            || (block.named("deny").contains { $0.arguments == ["all"] } && block.named("allow").isEmpty
                && block.named("satisfy").isEmpty)
    }

    /// The lines `rewrite` after which nginx chooses no other location: those with `break`, or before a line `break`.
    var finalRewrites: [NginxDirective] {
        // nginx chooses a location after the lines of a server.
        depth < 0 ? [] : Self.finalRewrites(block, before: [])
    }

    private static func finalRewrites(_ block: [NginxDirective], before rest: [NginxDirective]) -> [NginxDirective] {
        block.enumerated().flatMap { index, line -> [NginxDirective] in
            let later = block[(index + 1)...] + rest
            switch (line.name, line.arguments.count) {
            case ("if", _): return finalRewrites(line.block, before: Array(later))
            case ("rewrite", 2): return later.contains { $0.name == "break" } ? [line] : []
            case ("rewrite", 3): return line.arguments[2] == "break" ? [line] : []
            default: return []
            }
        }
    }

    /// The lines with which it can pass requests to applications.
    var passing: [NginxDirective] { block + ["if", "limit_except"].flatMap(block.named).flatMap(\.block) }

    /// The directives with a name that are in force here: those of the innermost block that has any.
    func effective(_ name: String) -> [NginxDirective] {
        scopes.last { !$0.named(name).isEmpty }?.named(name) ?? []
    }

    /// The `satisfy any` that is in force here.
    var satisfyingAny: NginxDirective? { effective("satisfy").last.flatMap { $0.arguments == ["any"] ? $0 : nil } }

    /// The lines `allow` and `deny` that are in force here: a block with one of them inherits none.
    var accessLines: [NginxDirective] {
        scopes.map { $0.filter { ["allow", "deny"].contains($0.name) } }.last { !$0.isEmpty } ?? []
    }

    /// The `allow` that admits every IPv4 or every IPv6 address; nil if a `deny` of them is before it.
    var admissionOfEveryAddress: NginxDirective? {
        // nginx obeys the first line that matches.
        let decisions = [false, true].compactMap { isIPv6 in
            accessLines.first { line in
                let range = line.arguments.first ?? ""
                return range == "all" || (range.hasSuffix("/0") && range.contains(":") == isIPv6)
            }
        }
        return decisions.first { $0.name == "allow" }
    }

    /// The value of a FastCGI parameter; the last one if there are several.
    func parameter(_ name: String) -> String? {
        effective("fastcgi_param").last { $0.arguments.first == name }?.arguments.dropFirst().first
    }
}
