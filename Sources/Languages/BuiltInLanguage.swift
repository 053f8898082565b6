/// A language file in the binary.
///
/// The files have a target of their own, because the compiler needs 20 seconds for them.
package struct BuiltInLanguage: Sendable {
    /// The language tag (BCP 47).
    package let tag: String
    /// The language's own name, as in its file: reading all files would make the start slower.
    package let name: String
    /// The content of the file in UTF-8.
    package let file: [UInt8]

    /// All of them, English first.
    ///
    /// A file in `Sources/Languages/Texts` needs one line here.
    package static let all = [
        BuiltInLanguage(tag: "en", name: "English", file: PackageResources.en_txt),
        BuiltInLanguage(tag: "de", name: "Deutsch", file: PackageResources.de_txt),
        BuiltInLanguage(tag: "es", name: "Español", file: PackageResources.es_txt),
        BuiltInLanguage(tag: "fr", name: "Français", file: PackageResources.fr_txt),
        BuiltInLanguage(tag: "ja", name: "日本語", file: PackageResources.ja_txt),
        BuiltInLanguage(tag: "zh-Hans", name: "简体中文", file: PackageResources.zh_Hans_txt),
        BuiltInLanguage(tag: "zh-Hant", name: "繁體中文", file: PackageResources.zh_Hant_txt),
    ]
}
