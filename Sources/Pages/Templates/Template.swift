/// A template, which a file can replace.
struct Template: Sendable {
    /// The name without suffix, by which templates include each other.
    let name: String
    /// What it is for, for its authors.
    let purpose: String
    /// The fields that it can use in addition to those of every page; a tag for any other field would always be empty.
    var fields: [TemplateField] = []
    /// The tags that a replacement must contain, because visitors need them to continue.
    var requiredTags: [String] = []
    /// The built-in text.
    let embedded: String

    var fileName: String { Self.fileName(of: name) }

    /// Returns the name of the file of a template, which can be one that only files of the operator include.
    static func fileName(of name: String) -> String {
        name == style.name ? "style.css" : "\(name).mustache"
    }

    /// The built-in text, below a comment with the tags that it can use; the comment prints nothing.
    ///
    /// The style sheet has no comment, because every byte of it is part of the pages.
    var documentedText: String {
        guard name != Self.style.name else { return embedded }
        let width = 2 + (fields.map(\.name.utf8.count).max() ?? 0)
        let tags = fields.map { field in
            let space = String(repeating: " ", count: width - field.name.utf8.count)
            return "  \(field.name)\(space)\(field.meaning)"
        }
        let needed = requiredTags.isEmpty ? [] : ["It must contain: \(requiredTags.joined(separator: ", "))"]
        let others = "Tags of every page: linkedin-signin print-templates"
        let lines = ["\(fileName): \(purpose)."] + tags + needed + [others]
        return "{{! \(lines.joined(separator: "\n")) }}\n" + embedded
    }
}
