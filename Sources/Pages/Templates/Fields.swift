import Templates

/// The values behind a page's tags.
struct Fields: Sendable {
    /// The values by the names in the tags.
    private(set) var values: [String: TemplateValue] = [:]

    /// Sets a text; an absent or empty one is as good as not there, so that sections about it stay closed.
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

    /// Puts a group of fixed words under a prefix, as in `{{text.signIn}}`.
    mutating func set(group: String, _ words: [String: String]) {
        for (name, word) in words { values["\(group).\(name)"] = .text(word) }
    }
}
