import Templates

/// The templates of all pages, parsed and checked.
struct TemplateSet: Sendable {
    let home: CompiledTemplate
    let profile: CompiledTemplate
    let signedOut: CompiledTemplate
    let forget: CompiledTemplate
    let forgotten: CompiledTemplate
    let tokens: CompiledTemplate
    let resume: CompiledTemplate
    let problem: CompiledTemplate
    let style: String

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
                faults.append(TemplateError.Fault(file: TemplateSources.fileName(of: name), reason: error.description))
            }
        }
        // If a file cannot be parsed, checks of the templates that include it would report misleading faults.
        if faults.isEmpty {
            faults = TemplateCheck(texts: texts.texts, sources: sources, commonNames: commonNames).faults()
        }
        guard faults.isEmpty else { throw TemplateError(faults) }
        style = texts.texts[Template.style.rawValue] ?? ""
        home = CompiledTemplate(Template.home.rawValue, in: sources)
        profile = CompiledTemplate(Template.profile.rawValue, in: sources)
        signedOut = CompiledTemplate(Template.signedOut.rawValue, in: sources)
        forget = CompiledTemplate(Template.forget.rawValue, in: sources)
        forgotten = CompiledTemplate(Template.forgotten.rawValue, in: sources)
        tokens = CompiledTemplate(Template.tokens.rawValue, in: sources)
        resume = CompiledTemplate(Template.resume.rawValue, in: sources)
        problem = CompiledTemplate(Template.problem.rawValue, in: sources)
    }
}
