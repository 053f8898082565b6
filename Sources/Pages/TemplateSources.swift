internal import struct FoundationEssentials.Data
internal import class FoundationEssentials.FileManager
internal import struct FoundationEssentials.URL

/// The texts of all templates by name, replaced or extended by a directory, and the directory's language files.
struct TemplateSources {
    private(set) var texts = embedded
    /// The files of the directory `languages` by file name.
    private(set) var languageFiles: [String: String] = [:]
    /// Whether the directory has a style sheet that differs from the built-in one.
    private(set) var hasOwnStyle = false
    private(set) var faults: [TemplateError.Fault] = []

    private let directory: String

    private static let embedded = Dictionary(uniqueKeysWithValues: Template.all.map { ($0.name, $0.embedded) })
        .merging([Template.style.name: Template.compactStyle]) { $1 }

    /// Messages about templates whose parts browsers ignore; the built-in ones are not read, because every start asks.
    var policyNotes: [String] {
        texts.filter { $0.value != Self.embedded[$0.key] }.sorted { $0.key < $1.key }.flatMap { name, text in
            let file = "\(directory)/\(Template.fileName(of: name))"
            let isStyleSheet = name == Template.style.name
            let notes = isStyleSheet ? PolicyReview.notes(ofStyleSheet: text) : PolicyReview(text).notes
            return notes.map { "SIGNIN_TEMPLATES: \(file): \($0)" }
        }
    }

    /// - Parameters:
    ///   - directory: The template directory; nil if there is none.
    ///   - colors: Rules with the colors of the settings, which replace those of the built-in style sheet.
    ///   - theme: The only theme of the pages; nil for the one that the browser prefers.
    init(directory: String?, colors: String = "", theme: Theme? = nil) {
        self.directory = directory ?? ""
        if let directory { read(directory) }
        // A copy of the built-in style sheet gives the same pages as no file.
        if texts[Template.style.name] == Template.style.embedded { texts[Template.style.name] = Template.compactStyle }
        // The colors fit the backgrounds of the built-in style sheet only.
        hasOwnStyle = texts[Template.style.name] != Template.compactStyle
        if !hasOwnStyle { texts[Template.style.name, default: ""] += colors }
        if let theme { texts = texts.mapValues(theme.fixed) }
    }

    private mutating func read(_ directory: String) {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            faults.append(TemplateError.Fault(file: directory, reason: "is not a readable directory"))
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

    /// Returns the name of the template in a file; nil for other files, such as a README.
    private static func templateName(file: String) -> String? {
        if file == Template.style.fileName { return Template.style.name }
        guard file.hasSuffix(".mustache") else { return nil }
        return String(file.dropLast(".mustache".count))
    }

    private mutating func read(_ file: String, in directory: String, named name: String) -> String? {
        guard file == Template.fileName(of: name) else {
            faults.append(TemplateError.Fault(file: file, reason: "is ignored: the style sheet is read from style.css"))
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
            faults.append(TemplateError.Fault(file: file, reason: "is not UTF-8 text"))
            return nil
        }
        // A browser converts line breaks to LF before it computes the hash of the style sheet (HTML §13.2.3.5).
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))
    }
}
