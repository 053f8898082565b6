/// Every language of the pages: the embedded ones, and those of a directory in their place or beside them.
struct LanguageSet: Sendable {
    /// English first, the others in the order of their tags.
    let translations: [Translation]
    /// The texts that a file of the directory lacks, as sentences for the operator.
    let notes: [String]

    /// - Parameter files: the language files of a directory by their names.
    /// - Throws: `TemplateError` with every fault of every file.
    init(files: [String: String] = [:]) throws(TemplateError) {
        var embedded: [Language: LanguageFile] = [:]
        for (language, bytes) in Language.embedded {
            embedded[language] = LanguageFile(String(decoding: bytes, as: UTF8.self))
        }
        let english = embedded[.english] ?? LanguageFile("")
        var translations: [Language: Translation] = [:]
        for (language, file) in embedded {
            translations[language] = Translation(language, file, fallback: nil, english: english)
        }
        var faults: [TemplateError.Fault] = []
        var notes: [String] = []
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            let fileName = "\(Self.directory)/\(name)"
            guard let language = Language(String(name.dropLast(Self.suffix.count))) else {
                faults.append(.init(file: fileName, reason: "is not named after a language, such as pt-BR.txt"))
                continue
            }
            let file = LanguageFile(content)
            faults += TranslationCheck.faults(of: file, against: english)
                .map { TemplateError.Fault(file: fileName, reason: "line \($0.line): \($0.reason)") }
            let translation = Translation(language, file, fallback: embedded[language], english: english)
            translations[language] = translation
            if !translation.missing.isEmpty {
                notes.append(
                    "\(fileName) lacks \(translation.missing.joined(separator: ", ")): these texts are English"
                )
            }
        }
        guard faults.isEmpty else { throw TemplateError(faults) }
        self.notes = notes
        self.translations = translations.values.sorted {
            ($0.language == .english ? "" : $0.language.tag) < ($1.language == .english ? "" : $1.language.tag)
        }
    }

    /// The directory of language files beside the templates, and how their names end.
    static let directory = "languages"
    static let suffix = ".txt"
}
