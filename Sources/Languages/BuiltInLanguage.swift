/// A language file in the binary.
///
/// The files have a target of their own, because the compiler needs 20 seconds for them.
package struct BuiltInLanguage: Sendable {
    /// The language tag (BCP 47).
    package let tag: String
    /// The content of the file in UTF-8.
    package let file: [UInt8]

    /// All of them, English first.
    ///
    /// A file in `Sources/Languages/Texts` needs one line here.
    package static let all = [
        BuiltInLanguage(tag: "en", file: PackageResources.en_txt),
        BuiltInLanguage(tag: "de", file: PackageResources.de_txt),
        BuiltInLanguage(tag: "es", file: PackageResources.es_txt),
        BuiltInLanguage(tag: "fr", file: PackageResources.fr_txt),
        BuiltInLanguage(tag: "ja", file: PackageResources.ja_txt),
        BuiltInLanguage(tag: "zh-Hans", file: PackageResources.zh_Hans_txt),
        BuiltInLanguage(tag: "zh-Hant", file: PackageResources.zh_Hant_txt),
    ]
}
