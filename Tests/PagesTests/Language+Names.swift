@testable import Pages

/// The built-in languages that tests name.
extension Language {
    static let french = Language(known: "fr")
    static let german = Language(known: "de")
    static let japanese = Language(known: "ja")
    static let simplifiedChinese = Language(known: "zh-Hans")
    static let spanish = Language(known: "es")
    static let traditionalChinese = Language(known: "zh-Hant")
}
