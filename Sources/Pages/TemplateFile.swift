/// A file of the template directory with its built-in content.
package struct TemplateFile: Sendable, Equatable {
    /// The path of the file in the directory.
    package let path: String
    package let text: String

    /// The built-in templates, each with a comment that names its tags, and the built-in language files.
    package static var all: [TemplateFile] {
        let templates = Template.all.map { TemplateFile(path: $0.fileName, text: $0.documentedText) }
        let languages = BuiltInLanguage.all.map { language in
            let path = "\(LanguageSet.directory)/\(language.tag)\(LanguageSet.suffix)"
            return TemplateFile(path: path, text: language.texts + "\n")
        }
        return templates + languages
    }
}
