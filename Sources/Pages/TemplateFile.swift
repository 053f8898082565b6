/// A file of the template directory with its built-in content.
package struct TemplateFile: Sendable, Equatable {
    /// The path of the file in the directory.
    package let path: String
    package let text: String

    /// The built-in templates, each with a comment that names its tags, and the built-in language files.
    package static var all: [TemplateFile] {
        let templates = Template.all.map { TemplateFile(path: $0.fileName, text: $0.documentedText) }
        let languages = Language.builtIn.compactMap { language in
            LanguageFile.embeddedText(of: language).map {
                TemplateFile(path: "\(LanguageSet.directory)/\(language.tag)\(LanguageSet.suffix)", text: $0)
            }
        }
        return templates + languages
    }
}
