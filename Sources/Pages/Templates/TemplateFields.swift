import Templates

/// The fields of one page with their values.
struct TemplateFields: Sendable {
    /// The values by tag name.
    private(set) var values: [String: TemplateValue] = [:]

    /// Sets a text; ignores an absent or empty text, so that sections with it are not shown.
    mutating func set(_ field: TemplateField, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        values[field.name] = .text(text)
    }

    mutating func set(_ field: TemplateField, _ flag: Bool) {
        set(field.name, flag)
    }

    mutating func set(_ name: String, _ flag: Bool) {
        values[name] = .flag(flag)
    }

    mutating func set(_ field: TemplateField, _ list: [TemplateFields]) {
        set(field.name, list)
    }

    mutating func set(_ name: String, _ list: [TemplateFields]) {
        values[name] = .list(list.map(\.values))
    }

    /// Sets a group of fixed texts with a prefix, as in `{{text.signIn}}`.
    mutating func set(group: String, _ words: [String: String]) {
        for (name, word) in words { values["\(group).\(name)"] = .text(word) }
    }
}
