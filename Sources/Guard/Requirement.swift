package import Sessions

/// The rule of a location: conditions that must all hold, or that anyone may pass.
///
/// Written as `member`, `email-domain=example.com deny=/etc/linkedin-signin/denied`, or `anyone`: conditions between
/// spaces, and between the commas of one condition the values of which one is enough.
///
/// `preflight` beside them is not a condition: it also lets a CORS preflight pass.
package struct Requirement: Sendable {
    /// Why a text is no rule, for the operator.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    package let admitsAnyone: Bool
    /// Whether a CORS preflight passes without a session.
    package let admitsPreflight: Bool
    package let conditions: [Condition]

    /// - Throws: `Invalid` for a text without a condition, or with one that is not understood.
    package init(_ text: String, lists: MemberLists) throws(Invalid) {
        let words = text.split(separator: " ")
        guard !words.isEmpty else {
            throw Invalid(description: "the rule is empty: write 'member' to admit everyone who is signed in")
        }
        admitsAnyone = words.contains("anyone")
        guard !admitsAnyone || words.count == 1 else {
            throw Invalid(description: "'anyone' cannot be combined with other conditions")
        }
        admitsPreflight = words.contains(Self.preflight)
        guard words.contains(where: { $0 != Self.preflight }) else {
            throw Invalid(description: "'preflight' needs another condition, such as 'member preflight'")
        }
        var conditions: [Condition] = []
        for word in words where !admitsAnyone && word != Self.preflight {
            conditions.append(try Self.condition(word, lists: lists))
        }
        self.conditions = conditions
    }

    /// Why the rule does not admit a member; nil if it does.
    package func objection(to identity: Identity) -> Denial? {
        for condition in conditions {
            if let objection = condition.objection(to: identity) { return objection }
        }
        return nil
    }

    private static func condition(_ word: Substring, lists: MemberLists) throws(Invalid) -> Condition {
        if word == "member" { return .member }
        guard let equals = word.firstIndex(of: "=") else {
            throw Invalid(description: "“\(word)” is not a condition; \(known)")
        }
        let name = word[..<equals]
        let value = word[equals...].dropFirst()
        switch name {
        case "allow": return .allow(lists.list(at: try path(value)))
        case "deny": return .deny(lists.list(at: try path(value)))
        case "subject", "email", "email-domain": return try patterns(kind: name, values: value)
        default: throw Invalid(description: "“\(name)” is not a condition; \(known)")
        }
    }

    private static let known =
        "the conditions are anyone, member, subject=, email=, email-domain=, allow=, deny= and preflight"

    private static let preflight: Substring = "preflight"

    private static func path(_ text: Substring) throws(Invalid) -> String {
        guard text.hasPrefix("/") else { throw Invalid(description: "“\(text)” is not an absolute path") }
        return String(text)
    }

    private static func patterns(kind: Substring, values: Substring) throws(Invalid) -> Condition {
        var patterns: Set<MemberPattern> = []
        // An empty value is refused as such: it would be what a variable that is not set leaves behind.
        for value in values.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(MemberPattern.Invalid) {
                patterns.insert(try MemberPattern(kind: kind, value: value))
            } catch {
                throw Invalid(description: error.description)
            }
        }
        return .anyOf(patterns, kind: String(kind))
    }
}
