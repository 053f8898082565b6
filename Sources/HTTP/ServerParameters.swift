/// Parameters that only the configuration of the web server can set, such as the rule of a guarded location.
///
/// A request has one or two of them, so that looking through a list is faster than hashing names.
package struct ServerParameters: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Entry: Sendable, Equatable {
        let name: String
        let value: String
    }

    private var entries: [Entry] = []

    package init() {}

    /// Adds all parameters of a dictionary.
    package init(_ parameters: [String: String]) {
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// Adds parameters in their order; the last one of a name counts.
    package init(dictionaryLiteral parameters: (String, String)...) {
        for (name, value) in parameters { self[name] = value }
    }

    /// The value of a parameter; nil if there is none of this name.
    package subscript(name: String) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            guard let newValue else { return }
            // Enough for what the printed configurations send, instead of growing.
            if entries.isEmpty { entries.reserveCapacity(2) }
            entries.append(Entry(name: name, value: newValue))
        }
    }

    package var names: [String] { entries.map(\.name) }
    package var isEmpty: Bool { entries.isEmpty }
}
