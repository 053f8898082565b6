/// The tables of templates and tags in docs/pages.md, in Markdown.
package enum TemplateReference {
    /// The table of all files of the template directory.
    package static var files: String {
        let rows = Template.all.map { template in
            let needed = template.requiredTags.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(template.fileName)` | \(template.purpose) | \(needed) |"
        }
        return table("file", "what it is", "tags that it must contain", rows: rows)
    }

    /// The table of the tags that every template can use, without the texts.
    package static var commonTags: String {
        let rows = TemplateField.common.map { "| `\($0.name)` | \($0.meaning) |" }
        return table("tag", "value", rows: rows)
    }

    /// The tags of all pages, in the order in which the pages use them first.
    private static var pageFields: [TemplateField] {
        Template.pages.flatMap(\.fields).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The table of the tags that only some pages have.
    package static var pageTags: String {
        let rows = pageFields.map { field in
            let pages = Template.pages.filter { $0.fields.contains(field) }.map { "`\($0.name)`" }
            return "| `\(field.name)` | \(pages.joined(separator: ", ")) | \(field.meaning) |"
        }
        return table("tag", "pages", "value", rows: rows)
    }

    /// The table of the tags for texts, with the English texts.
    package static var texts: String {
        let english = LanguageFile(embedded: .english)
        let rows = TextKey.allCases.map { key in
            "| `text.\(key.rawValue)` | \(english?.forms[key.rawValue]?.first?.text ?? "") |"
        }
        return table("tag", "English text", rows: rows)
    }

    private static func table(_ titles: String..., rows: [String]) -> String {
        let head = ["| \(titles.joined(separator: " | ")) |", "|\(String(repeating: " --- |", count: titles.count))"]
        return (head + rows).joined(separator: "\n")
    }
}
