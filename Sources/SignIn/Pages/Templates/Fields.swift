/// The values behind a page's tags.
struct Fields: Sendable {
    /// What Mustache looks names up in; values are `String`, `Bool`, or lists and dictionaries of them.
    private(set) var values: [String: any Sendable] = [:]

    /// Sets a text; an absent or empty one is as good as not there, so that sections about it stay closed.
    mutating func set(_ field: Field, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        values[field.rawValue] = text
    }

    mutating func set(_ field: Field, _ flag: Bool) {
        values[field.rawValue] = flag
    }

    mutating func set(_ field: Field, _ list: [Fields]) {
        values[field.rawValue] = list.map(\.values)
    }

    /// Puts a group of fixed words under a prefix, as in `{{text.signIn}}`.
    mutating func set(group: String, _ words: [String: String]) {
        values[group] = words
    }
}
