/// Why a text is not a template.
package struct TemplateSyntaxError: Error, Equatable, CustomStringConvertible {
    package enum Reason: String, Sendable {
        case unclosedTag = "a tag is never closed"
        case badName = "a tag has no proper name or end"
        case unclosedSection = "a section is never closed"
        case wrongEnd = "this does not close the section that is open"
        case textInParent = "only blocks can stand inside {{<…}}"
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int

    package var description: String { "line \(line): \(reason.rawValue)" }
}
