internal import Mustache

/// The templates of all pages, parsed and checked.
struct TemplateSet: Sendable {
    let home: MustacheTemplate
    let profile: MustacheTemplate
    let signedOut: MustacheTemplate
    let problem: MustacheTemplate
    /// What they include.
    let library: MustacheLibrary
    let style: String

    /// Reads the embedded templates and those of a directory.
    ///
    /// - Parameters:
    ///   - directory: where files take the place of embedded templates; nil for none.
    ///   - commonNames: the names that tags of every page may use.
    /// - Throws: `TemplateError` with every fault of every file.
    init(directory: String?, commonNames: Set<String>) throws(TemplateError) {
        let sources = TemplateSources(directory: directory)
        let check = TemplateCheck(texts: sources.texts, commonNames: commonNames)
        let faults = TemplateCheck.sorted(Set(sources.faults + check.faults()))
        guard faults.isEmpty else { throw TemplateError(faults: faults) }
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in sources.texts { templates[name] = try Self.parse(text, named: name) }
        library = MustacheLibrary(templates: templates)
        style = sources.texts[Template.style.rawValue] ?? ""
        home = try Self.find(.home, in: templates)
        profile = try Self.find(.profile, in: templates)
        signedOut = try Self.find(.signedOut, in: templates)
        problem = try Self.find(.problem, in: templates)
    }

    /// Parses a template under our own escaping, which holds for one template only and so begins each of them.
    private static func parse(_ text: String, named name: String) throws(TemplateError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: "{{%CONTENT_TYPE:\(HTMLText.name)}}\n\(text)")
        } catch {
            let fault = TemplateError.Fault(file: TemplateSources.fileName(of: name), reason: "\(error)")
            throw TemplateError(faults: [fault])
        }
    }

    private static func find(
        _ template: Template,
        in templates: [String: MustacheTemplate]
    ) throws(TemplateError) -> MustacheTemplate {
        guard let found = templates[template.rawValue] else {
            throw TemplateError(faults: [TemplateError.Fault(file: template.fileName, reason: "there is none")])
        }
        return found
    }
}
