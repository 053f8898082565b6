/// All languages of the pages: the embedded ones, replaced or extended by the template directory.
struct LanguageSet: Sendable {
    /// English first, then the others in the order of their tags.
    let languages: [Language]
    /// Messages for the operator about missing texts in files of the directory.
    let notes: [String]

    private let english: LanguageFile
    /// The files of the directory.
    private let replacements: [Language: LanguageFile]

    /// - Parameter files: The contents of the directory's language files by file name.
    /// - Throws: `TemplateError` with every fault of every file.
    init(files: [String: String] = [:]) throws(TemplateError) {
        let english = LanguageFile(embedded: .english) ?? LanguageFile("")
        var replacements: [Language: LanguageFile] = [:]
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
            replacements[language] = file
            let missing = Translation(language, replacement: file, english: english).missing
            if !missing.isEmpty {
                notes.append("\(fileName) lacks \(missing.joined(separator: ", ")): these texts are English")
            }
        }
        guard faults.isEmpty else { throw TemplateError(faults) }
        self.notes = notes
        self.english = english
        self.replacements = replacements
        languages = Set(Language.builtIn).union(replacements.keys).sorted {
            ($0 == .english ? "" : $0.tag) < ($1 == .english ? "" : $1.tag)
        }
    }

    /// Reads the texts of a language.
    func translation(to language: Language) -> Translation {
        Translation(language, replacement: replacements[language], english: english)
    }

    /// The language's own name; its tag if its file in the directory does not tell.
    func name(of language: Language) -> String {
        replacements[language]?.forms[Translation.name]?.first?.text
            ?? BuiltInLanguage.all.first { $0.tag == language.tag }?.name ?? language.tag
    }

    /// The directory of language files in the template directory, and the suffix of their names.
    static let directory = "languages"
    static let suffix = ".txt"
}
