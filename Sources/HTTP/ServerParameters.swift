/// Parameters that only the configuration of the web server can set, such as the rule of a guarded location.
///
/// Nearly every request has the same two, so these have places of their own instead of an array.
package struct ServerParameters: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Entry: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The name of `action`.
    package static let actionName = "SIGNIN_ACTION"
    /// The name of `requirement`.
    package static let requirementName = "SIGNIN_REQUIRE"
    /// The name of the parameter with the reason why linkedin-signin rejected the check of a request.
    package static let reasonName = "SIGNIN_REASON"

    /// What the web server asks for.
    package var action: String?
    /// The rule of the guarded location.
    package var requirement: String?
    private var others: [Entry] = []

    package init() {}

    /// Adds parameters in their order; the last one of a name counts.
    package init(dictionaryLiteral parameters: (String, String)...) {
        for (name, value) in parameters { self[name] = value }
    }

    /// The value of a parameter; nil if there is none of this name.
    package subscript(name: String) -> String? {
        get {
            switch name {
            case Self.actionName: action
            case Self.requirementName: requirement
            default: others.first { $0.name == name }?.value
            }
        }
        set {
            switch name {
            case Self.actionName: action = newValue
            case Self.requirementName: requirement = newValue
            default:
                others.removeAll { $0.name == name }
                if let newValue { others.append(Entry(name: name, value: newValue)) }
            }
        }
    }
}
