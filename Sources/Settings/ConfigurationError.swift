/// Everything that is wrong with a configuration, so that an operator mends it in one go.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package struct Problem: Sendable, Equatable {
        /// The setting, or the file, at fault.
        package let subject: String
        /// What is wrong and what would be right; never the value of a secret.
        package let message: String
        /// The file and the line that set the value, as `file:line`; nil if it comes from elsewhere.
        package let place: String?

        package init(subject: String, message: String, place: String? = nil) {
            self.subject = VisibleText.of(subject)
            self.message = VisibleText.of(message)
            self.place = place
        }
    }

    package let problems: [Problem]

    package init(problems: [Problem]) {
        self.problems = problems
    }

    /// One line a problem.
    package var description: String {
        problems.map { ($0.place.map { "\($0): " } ?? "") + "\($0.subject): \($0.message)" }.joined(separator: "\n")
    }
}
