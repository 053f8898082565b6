/// All languages of the pages: the embedded ones, replaced or extended by the template directory.
struct LanguageSet: Sendable {
    /// English first, then the others in the order of their tags.
    let translations: [Translation]
    /// Messages for the operator about missing texts in files of the directory.
    let notes: [String]

    /// - Parameter files: The contents of the directory's language files by file name.
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
                faults.append(.init(file: fileName, reason: "is not named by a language tag, such as pt-BR.txt"))
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

    /// The directory of language files in the template directory, and the suffix of their names.
    static let directory = "languages"
    static let suffix = ".txt"
}
