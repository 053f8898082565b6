/// The texts of one language; missing texts are in English.
package struct Translation: Sendable {
    let language: Language
    /// Whether the language is written from right to left.
    let isRightToLeft: Bool
    /// The keys that the file lacks, in alphabetical order.
    let missing: [String]
    private let texts: [String: [LanguageFile.Form]]

    /// - Parameters:
    ///   - language: The language of the texts; its embedded file is read if there is one.
    ///   - replacement: The file of the template directory, already checked by `TranslationCheck`.
    ///   - english: The embedded English file, which has every key.
    init(_ language: Language, replacement: LanguageFile?, english: LanguageFile) {
        self.language = language
        let embedded = LanguageFile(embedded: language)?.forms ?? [:]
        let own = embedded.merging(replacement?.forms ?? [:]) { $1 }
        isRightToLeft = own[Self.direction]?.first?.text == Self.rightToLeft
        missing = english.forms.keys.filter { own[$0] == nil }.sorted()
        texts = english.forms.merging(own) { $1 }
    }

    /// The key of the language's own name.
    static let name = "language"
    /// The key of a date, with the placeholders `day`, `month` and `year`.
    static let date = "date"
    /// The key of the names of the months: twelve words.
    static let months = "months"
    static let direction = "direction"
    static let leftToRight = "ltr"
    static let rightToLeft = "rtl"

    /// Writes a day as people of this language do.
    func text(_ day: Day) -> String {
        let months = (self[Self.months] ?? "").split(separator: " ")
        let month = months.indices.contains(day.month - 1) ? String(months[day.month - 1]) : String(day.month)
        return Placeholder.fill(
            self[Self.date, day.day] ?? "{day}.{month}.{year}",
            [.day: String(day.day), .month: month, .year: String(day.year)]
        )
    }

    /// Returns the text of a key, in the form for a number if one is given.
    subscript(key: String, count: Int? = nil) -> String? {
        guard let forms = texts[key] else { return nil }
        let form = count.flatMap { count in forms.first { $0.numbers?.contains(count) == true } }
        return (form ?? forms.first { $0.numbers == nil })?.text
    }
}

/// Compares a language file with the English file, which has all keys and placeholders.
package enum TranslationCheck {
    /// Returns the faults that make the file unusable; a missing text is not a fault, because English replaces it.
    static func faults(of file: LanguageFile, against english: LanguageFile) -> [LanguageFile.Fault] {
        file.faults
            + file.forms.flatMap { key, forms in
                guard let model = english.forms[key] else {
                    return forms.map { LanguageFile.Fault(line: $0.line, reason: "there is no text \(key)") }
                }
                return compare(forms, of: key, with: model)
            }
    }

    private static func compare(
        _ forms: [LanguageFile.Form],
        of key: String,
        with model: [LanguageFile.Form]
    ) -> [LanguageFile.Fault] {
        let expected = model.reduce(into: Set()) { $0.formUnion(Placeholder.names(in: $1.text)) }
        var faults = forms.flatMap { check($0, of: key, expected: expected) }
        if !forms.contains(where: { $0.numbers == nil }), let line = forms.first?.line {
            faults.append(.init(line: line, reason: "\(key) has no form without brackets"))
        }
        return faults
    }

    private static func check(
        _ form: LanguageFile.Form,
        of key: String,
        expected: Set<String>
    ) -> [LanguageFile.Fault] {
        var faults: [LanguageFile.Fault] = []
        let number = (key == Translation.date ? Placeholder.day : .count).rawValue
        if form.numbers != nil, !expected.contains(number) {
            faults.append(.init(line: form.line, reason: "\(key) does not depend on a number"))
        }
        if key == Translation.direction, ![Translation.leftToRight, Translation.rightToLeft].contains(form.text) {
            faults.append(.init(line: form.line, reason: "direction must be ltr or rtl"))
        }
        if key == Translation.months, form.text.split(separator: " ").count != 12 {
            faults.append(.init(line: form.line, reason: "months must be twelve words"))
        }
        var present = Placeholder.names(in: form.text)
        // A form for given numbers, such as "a minute ago", may omit the number.
        if form.numbers != nil { present.insert(number) }
        for name in present.subtracting(expected).sorted() {
            faults.append(.init(line: form.line, reason: "\(key) has no placeholder {\(name)}"))
        }
        for name in expected.subtracting(present).sorted() {
            faults.append(.init(line: form.line, reason: "\(key) lacks {\(name)}"))
        }
        return faults
    }
}

/// A name in braces in a text of a language file.
package enum Placeholder: String, CaseIterable {
    case provider
    case site
    case address
    case count
    case path
    case day
    case month
    case year

    /// Returns the names in braces, including unknown ones.
    static func names(in text: String) -> Set<String> {
        Set(parts(of: text).compactMap { $0.isName ? String($0.text) : nil })
    }

    /// Replaces the names in braces by values.
    ///
    /// Braces in a value are not replaced.
    static func fill(_ text: String, _ values: [Placeholder: String]) -> String {
        // Most texts have no names.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return parts(of: text).reduce(into: "") { filled, part in
            guard part.isName else {
                filled += part.text
                return
            }
            filled += Placeholder(rawValue: String(part.text)).flatMap { values[$0] } ?? "{\(part.text)}"
        }
    }

    private static func parts(of text: String) -> [(text: Substring, isName: Bool)] {
        var parts: [(Substring, Bool)] = []
        var rest = text[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
        {
            parts.append((rest[..<open], false))
            parts.append((rest[rest.utf8.index(after: open)..<close], true))
            rest = rest[rest.utf8.index(after: close)...]
        }
        parts.append((rest, false))
        return parts
    }
}
