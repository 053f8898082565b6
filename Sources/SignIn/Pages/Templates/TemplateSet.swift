internal import Mustache

/// The templates of all pages, parsed and checked.
struct TemplateSet: Sendable {
    let home: MustacheTemplate
    let profile: MustacheTemplate
    let signedOut: MustacheTemplate
    let resume: MustacheTemplate
    let problem: MustacheTemplate
    /// What they include.
    let library: MustacheLibrary
    let style: String

    /// Parses and checks the embedded templates and those of a directory.
    ///
    /// - Parameters:
    ///   - sources: the texts of the templates.
    ///   - commonNames: the names that tags of every page may use.
    /// - Throws: `TemplateError` with every fault of every file.
    init(_ sources: TemplateSources, commonNames: Set<String>) throws(TemplateError) {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        var templates: [String: MustacheTemplate] = [:]
        var faults = sources.faults
        for (name, text) in sources.texts {
            do {
                templates[name] = try Self.parse(text)
            } catch {
                faults.append(TemplateError.Fault(file: TemplateSources.fileName(of: name), reason: error.description))
            }
        }
        // What a broken file means is anybody's guess: no more is said about the others than that.
        if faults.isEmpty { faults = TemplateCheck(texts: sources.texts, commonNames: commonNames).faults() }
        guard faults.isEmpty else { throw TemplateError(faults) }
        library = MustacheLibrary(templates: templates)
        style = sources.texts[Template.style.rawValue] ?? ""
        home = try Self.find(.home, in: templates)
        profile = try Self.find(.profile, in: templates)
        signedOut = try Self.find(.signedOut, in: templates)
        resume = try Self.find(.resume, in: templates)
        problem = try Self.find(.problem, in: templates)
    }

    /// Parses a template under our own escaping, which holds for one template only and so begins each of them.
    private static func parse(_ text: String) throws(Broken) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: "{{%CONTENT_TYPE:\(HTMLText.name)}}\n\(text)")
        } catch let error as MustacheTemplate.ParserError {
            throw Broken(description: "line \(error.context.lineNumber - 1): \(Self.reason(error.error))")
        } catch {
            throw Broken(description: Self.reason(error))
        }
    }

    private struct Broken: Error {
        let description: String
    }

    /// Mustache's reasons in plain words; what it has no public name for is its text ending too early.
    private static func reason(_ error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "this does not close the section that is open"
        case .expectedSectionEnd: "a section is never closed"
        case .unfinishedName: "a tag has no proper name or end"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection: "only blocks can stand inside {{<…}}"
        case .transformAppliedToInheritanceSection: "a block has no functions"
        case .invalidSetDelimiter, .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
            "delimiters and pragmas cannot be set"
        case nil: "a tag is never closed"
        }
    }

    private static func find(
        _ template: Template,
        in templates: [String: MustacheTemplate]
    ) throws(TemplateError) -> MustacheTemplate {
        guard let found = templates[template.rawValue] else {
            throw TemplateError([TemplateError.Fault(file: template.fileName, reason: "there is none")])
        }
        return found
    }
}
