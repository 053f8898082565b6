/// The texts of one language; missing texts are in English.
package struct Translation: Sendable {
    let language: Language
    /// Whether the language is written from right to left.
    let isRightToLeft: Bool
    /// The keys that the file lacks, in alphabetical order.
    let missing: [String]
    private let texts: [String: [LanguageFile.Form]]

    /// - Parameters:
    ///   - language: The language of the file.
    ///   - file: The file, already checked by `TranslationCheck`.
    ///   - fallback: The embedded file of the same language, if there is one.
    ///   - english: The English file, which has every key.
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

    /// Returns the text of a key, in the form for a number if one is given.
    subscript(key: String, count: Int? = nil) -> String? {
        guard let forms = texts[key] else { return nil }
        let form = count.flatMap { count in forms.first { $0.numbers?.contains(count) == true } }
        return (form ?? forms.first { $0.numbers == nil })?.text
    }
}
