import Templates

/// The templates of all pages, parsed and checked.
struct TemplateSet: Sendable {
    let style: String
    private let pages: [ObjectIdentifier: CompiledTemplate]

    /// Parses and checks the embedded templates and those of a directory.
    ///
    /// - Parameters:
    ///   - texts: The texts of the templates.
    ///   - commonNames: The field names that every page has.
    /// - Throws: `TemplateError` with every fault of every file.
    init(_ texts: TemplateSources, commonNames: Set<String>) throws(TemplateError) {
        var sources: [String: TemplateSource] = [:]
        var faults = texts.faults
        for (name, text) in texts.texts {
            do {
                sources[name] = try TemplateSource(text)
            } catch {
                faults.append(TemplateError.Fault(file: Template.fileName(of: name), reason: error.description))
            }
        }
        // If a file cannot be parsed, checks of the templates that include it would report misleading faults.
        if faults.isEmpty {
            faults = TemplateCheck(texts: texts.texts, sources: sources, commonNames: commonNames).faults()
        }
        guard faults.isEmpty else { throw TemplateError(faults) }
        style = texts.texts[Template.style.name] ?? ""
        var pages: [ObjectIdentifier: CompiledTemplate] = [:]
        for page in Page.types { pages[ObjectIdentifier(page)] = CompiledTemplate(page.template.name, in: sources) }
        self.pages = pages
    }

    /// The template of a page; nil if `Page.types` lacks the page.
    subscript(page: Page) -> CompiledTemplate? {
        pages[ObjectIdentifier(type(of: page.content))]
    }
}
