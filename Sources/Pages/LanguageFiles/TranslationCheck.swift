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
        if form.numbers != nil, !expected.contains(Placeholder.count.rawValue) {
            faults.append(.init(line: form.line, reason: "\(key) does not depend on a number"))
        }
        if key == Translation.direction, ![Translation.leftToRight, Translation.rightToLeft].contains(form.text) {
            faults.append(.init(line: form.line, reason: "direction must be ltr or rtl"))
        }
        var present = Placeholder.names(in: form.text)
        // A form for given numbers, such as "a minute ago", may omit the number.
        if form.numbers != nil { present.insert(Placeholder.count.rawValue) }
        for name in present.subtracting(expected).sorted() {
            faults.append(.init(line: form.line, reason: "\(key) has no placeholder {\(name)}"))
        }
        for name in expected.subtracting(present).sorted() {
            faults.append(.init(line: form.line, reason: "\(key) lacks {\(name)}"))
        }
        return faults
    }
}
