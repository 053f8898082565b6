/// The texts of one language, complete: what its file lacks is English.
package struct Translation: Sendable {
    let language: Language
    /// Whether the language is written from right to left.
    let isRightToLeft: Bool
    /// The keys whose texts are English because the file lacks them, in order.
    let missing: [String]
    private let texts: [String: [LanguageFile.Form]]

    /// - Parameters:
    ///   - language: what the file is in.
    ///   - file: its texts, checked by `TranslationCheck`.
    ///   - fallback: the embedded texts of the same language, if there are some.
    ///   - english: has every key.
    init(_ language: Language, _ file: LanguageFile, fallback: LanguageFile?, english: LanguageFile) {
        self.language = language
        let own = (fallback?.forms ?? [:]).merging(file.forms) { $1 }
        isRightToLeft = own[Self.direction]?.first?.text == Self.rightToLeft
        missing = english.forms.keys.filter { own[$0] == nil }.sorted()
        texts = english.forms.merging(own) { $1 }
    }

    static let direction = "direction"
    static let leftToRight = "ltr"
    static let rightToLeft = "rtl"

    /// The text of a key; for a number, the form that the language has for it.
    subscript(key: String, count: Int? = nil) -> String? {
        guard let forms = texts[key] else { return nil }
        let form = count.flatMap { count in forms.first { $0.numbers?.contains(count) == true } }
        return (form ?? forms.first { $0.numbers == nil })?.text
    }
}
