/// A value behind a tag.
package enum TemplateValue: Sendable, Equatable {
    /// A text; it is escaped where it is printed.
    case text(String)
    /// Opens or closes a section; prints nothing.
    case flag(Bool)
    /// Repeats a section, each time with these values before the outer ones.
    case list([[String: TemplateValue]])
}
