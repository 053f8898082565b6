/// A language file in the binary.
struct BuiltInLanguage: Sendable {
    /// The language tag (BCP 47).
    let tag: String
    /// The language's own name, as in its file: reading all files would make the start slower.
    let name: String
    /// The content of the file, without a line feed at its end.
    let texts: String

    /// All of them, English first.
    ///
    /// A file in `Sources/Pages/Texts` needs one line here.
    static let all = [
        BuiltInLanguage(tag: "en", name: "English", texts: englishTexts),
        BuiltInLanguage(tag: "de", name: "Deutsch", texts: germanTexts),
        BuiltInLanguage(tag: "es", name: "Español", texts: spanishTexts),
        BuiltInLanguage(tag: "fr", name: "Français", texts: frenchTexts),
        BuiltInLanguage(tag: "ja", name: "日本語", texts: japaneseTexts),
        BuiltInLanguage(tag: "zh-Hans", name: "简体中文", texts: simplifiedChineseTexts),
        BuiltInLanguage(tag: "zh-Hant", name: "繁體中文", texts: traditionalChineseTexts),
    ]
}
