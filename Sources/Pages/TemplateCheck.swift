import Templates

/// Finds faults in parsed templates at start.
struct TemplateCheck {
    private let texts: [String: String]
    private let tags: [String: [TemplateTag]]
    private let commonNames: Set<String>

    init(texts: [String: String], sources: [String: TemplateSource], commonNames: Set<String>) {
        self.texts = texts
        self.commonNames = commonNames
        tags = sources.mapValues(\.tags)
    }

    /// Returns the faults of all templates; a fault in a shared template may be repeated for each page.
    func faults() -> [TemplateError.Fault] {
        texts.keys.flatMap(forbiddenTags) + Template.pages.flatMap(unknownNames)
            + Template.all.flatMap(missingTags) + unusedFiles()
    }

    private func forbiddenTags(of name: String) -> [TemplateError.Fault] {
        let file = Template.fileName(of: name)
        if name == Template.style.name, let text = texts[name], Self.hasEndTag(text) {
            return [TemplateError.Fault(file: file, reason: "a style sheet cannot contain </")]
        }
        return (tags[name] ?? []).compactMap { tag in
            guard let reason = reason(against: tag, in: name) else { return nil }
            return TemplateError.Fault(file: file, reason: "line \(tag.line): \(reason)")
        }
    }

    /// Whether a text contains `</`; searching for a string in it is many times slower.
    private static func hasEndTag(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: "<") && $1 == UInt8(ascii: "/") }
    }

    private func reason(against tag: TemplateTag, in name: String) -> String? {
        switch tag.kind {
        case .unescaped: "\(tag.name) would not be escaped"
        case .pragma: "delimiters and pragmas cannot be set"
        case .partial, .parent:
            if texts[tag.name] == nil {
                "there is no template \(Template.fileName(of: tag.name))"
            } else if reached(from: tag.name).contains(name) {
                "\(tag.name) includes this template in turn"
            } else {
                nil
            }
        case .block where tag.name != "title" && tag.name != "main": "there is no block \(tag.name)"
        case .variable, .section, .inverted, .end, .block, .comment: nil
        }
    }

    private func unknownNames(on page: Template) -> [TemplateError.Fault] {
        let known = commonNames.union(page.fields.map(\.name))
        return reached(from: page.name).flatMap { name in
            (tags[name] ?? []).filter { tag in
                [.variable, .section, .inverted].contains(tag.kind) && !known.contains(tag.name)
            }.map { tag in
                let reason = "line \(tag.line): the page \(page.name) has no field \(tag.name)"
                return TemplateError.Fault(file: Template.fileName(of: name), reason: reason)
            }
        }
    }

    private func missingTags(of template: Template) -> [TemplateError.Fault] {
        let present = reached(from: template.name).flatMap { tags[$0] ?? [] }
        return template.requiredTags.filter { required in
            !present.contains { $0.kind == .block ? "$\($0.name)" == required : $0.name == required }
        }.map { TemplateError.Fault(file: template.fileName, reason: "lacks the tag {{\($0)}}") }
    }

    private func unusedFiles() -> [TemplateError.Fault] {
        let used = Set(Template.all.flatMap { reached(from: $0.name) })
        return texts.keys.filter { !used.contains($0) }.map {
            TemplateError.Fault(file: Template.fileName(of: $0), reason: "is not included by any page")
        }
    }

    /// Returns the template and all templates that it includes, directly or indirectly.
    private func reached(from name: String) -> Set<String> {
        var reached: Set<String> = []
        var next = [name]
        while let name = next.popLast() {
            guard reached.insert(name).inserted else { continue }
            next += (tags[name] ?? []).filter { [.partial, .parent].contains($0.kind) }.map(\.name)
        }
        return reached
    }
}
