internal import struct FoundationEssentials.Data
internal import class FoundationEssentials.FileManager
internal import struct FoundationEssentials.URL

/// The text of every template by its name: the embedded ones, and those of a directory in their place or beside them.
///
/// And the language files of the directory.
struct TemplateSources {
    private(set) var texts: [String: String] = [:]
    /// By the names of the files in the directory `languages`.
    private(set) var languageFiles: [String: String] = [:]
    private(set) var faults: [TemplateError.Fault] = []

    init(directory: String?) {
        for template in Template.allCases { texts[template.rawValue] = template.embedded }
        guard let directory else { return }
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            faults.append(TemplateError.Fault(file: directory, reason: "not a directory that can be read"))
            return
        }
        for file in files.sorted() {
            guard let name = Self.templateName(file: file) else { continue }
            texts[name] = read(file, in: directory, named: name) ?? texts[name]
        }
        let languages = directory + "/" + LanguageSet.directory
        for file in (try? FileManager.default.contentsOfDirectory(atPath: languages)) ?? []
        where file.hasSuffix(LanguageSet.suffix) {
            languageFiles[file] = read(LanguageSet.directory + "/" + file, in: directory)
        }
    }

    static func fileName(of name: String) -> String {
        Template(rawValue: name)?.fileName ?? "\(name).mustache"
    }

    /// The template that a file holds; nil for a file that is none, such as a note to the reader.
    private static func templateName(file: String) -> String? {
        if file == Template.style.fileName { return Template.style.rawValue }
        guard file.hasSuffix(".mustache") else { return nil }
        return String(file.dropLast(".mustache".count))
    }

    private mutating func read(_ file: String, in directory: String, named name: String) -> String? {
        guard file == Self.fileName(of: name) else {
            faults.append(TemplateError.Fault(file: file, reason: "the style sheet is read from style.css"))
            return nil
        }
        return read(file, in: directory)
    }

    private mutating func read(_ file: String, in directory: String) -> String? {
        guard let data = try? Data(contentsOf: URL(filePath: directory).appending(path: file)) else {
            faults.append(TemplateError.Fault(file: file, reason: "cannot be read"))
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            faults.append(TemplateError.Fault(file: file, reason: "not UTF-8"))
            return nil
        }
        // A browser reads line ends as LF before it computes the style sheet's hash (HTML §13.2.3.5).
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))
    }
}
