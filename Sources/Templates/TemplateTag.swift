/// A tag of a template: its kind, what it names, and its line.
package struct TemplateTag: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `{{name}}`: prints a value, escaped.
        case variable
        /// `{{#name}}`: what follows appears if there is a value, and once for each member of a list.
        case section
        /// `{{^name}}`: what follows appears if there is no value.
        case inverted
        /// `{{/name}}`: ends a section, a block or a parent.
        case end
        /// `{{> name}}`: includes another template.
        case partial
        /// `{{<name}}`: includes another template whose blocks the blocks in here replace.
        case parent
        /// `{{$name}}`: a part that can be replaced.
        case block
        /// `{{! … }}`
        case comment
        /// `{{{name}}}` or `{{&name}}`, which Mustache prints without escaping: always refused.
        case unescaped
        /// `{{=…=}}` or `{{%…}}`, which Mustache reads as delimiters and pragmas: always refused.
        case pragma
    }

    package let kind: Kind
    package let name: String
    /// Counted from 1.
    package let line: Int
}
