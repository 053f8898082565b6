/// A message for an operator, in which what to do stays apart from what was seen.
package struct Advice: Sendable, Equatable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// What keeps a user from reading a file.
    package enum Denial: Hashable, Sendable {
        /// The owner or the mode of the file, for a user, such as `www-data`.
        case permissions(reader: String)
        /// The directory above the file, or above the target of the link to the file.
        case directory(String, isLinked: Bool)
    }

    /// What was seen, as a sentence without a period.
    package let what: String
    /// The command to run or the line to change; nil if there is none, or if the first part says it.
    package let remedy: String?
    /// Whether a part of the message restarts the service.
    package let restarts: Bool
    /// What keeps this user from reading the file that the whole message is about; nil for another fault.
    package let denial: Denial?
    /// The directives of systemd units that the message is about, such as `InaccessiblePaths`.
    package private(set) var directives: Set<String> = []

    /// A message with what was seen and what to do.
    package init(_ what: String, _ remedy: String? = nil, restarts: Bool = false, denial: Denial? = nil) {
        (self.what, self.remedy, self.restarts, self.denial) = (what, remedy, restarts, denial)
    }

    /// A message without a remedy.
    package init(stringLiteral what: String) { self.init(what) }

    /// A message about something else that has this fault.
    package func after(_ begin: String) -> Advice {
        Advice(begin + what, remedy, restarts: restarts).about(directives)
    }

    /// The same message about more directives.
    package func about(_ directives: some Sequence<String>) -> Advice {
        var copy = self
        copy.directives.formUnion(directives)
        return copy
    }

    /// The same message with other words in both parts.
    package func map(_ change: (String) -> String) -> Advice {
        Advice(change(what), remedy.map(change), restarts: restarts, denial: denial).about(directives)
    }

    package var description: String { [what, remedy].compactMap(\.self).joined(separator: "; ") }
}
