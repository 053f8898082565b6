import Templates

/// The values of a page's tags.
struct Fields: Sendable {
    /// The values by tag name.
    private(set) var values: [String: TemplateValue] = [:]

    /// Sets a text; ignores an absent or empty text, so that sections with it are not shown.
    mutating func set(_ field: Field, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        values[field.rawValue] = .text(text)
    }

    mutating func set(_ field: Field, _ flag: Bool) {
        values[field.rawValue] = .flag(flag)
    }

    mutating func set(_ field: Field, _ list: [Fields]) {
        values[field.rawValue] = .list(list.map(\.values))
    }

    /// Sets a group of fixed texts with a prefix, as in `{{text.signIn}}`.
    mutating func set(group: String, _ words: [String: String]) {
        for (name, word) in words { values["\(group).\(name)"] = .text(word) }
    }
}
