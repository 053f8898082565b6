package import Encoding

/// All problems of a configuration, so that an operator can correct them together.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package struct Problem: Sendable, Equatable {
        /// The setting or the file that has the problem.
        package let subject: String
        /// What is wrong and how to fix it; never contains the value of a secret.
        package let advice: Advice
        /// The file and line that set the value, as `file:line`; nil for a value from another source.
        package let place: String?
        /// Whether the permissions of a file keep this user from reading it, which is not a problem of the settings.
        package let isDenied: Bool

        package init(subject: String, message: String, place: String? = nil, isDenied: Bool = false) {
            self.init(subject: subject, Advice(message), place: place, isDenied: isDenied)
        }

        package init(subject: String, _ advice: Advice, place: String? = nil, isDenied: Bool = false) {
            self.subject = VisibleText.of(subject)
            self.advice = advice.map(VisibleText.of)
            self.place = place
            self.isDenied = isDenied
        }

        package var message: String { advice.description }

        /// The subject after its place, unless the line itself is the subject.
        package var located: String { place.map { $0 == subject ? subject : "\($0): \(subject)" } ?? subject }

        /// This problem at a place, unless it has one.
        func at(_ file: String) -> Self {
            Self(subject: subject, advice, place: place ?? file, isDenied: isDenied)
        }
    }

    package let problems: [Problem]

    package init(problems: [Problem]) {
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String {
        problems.map { "\($0.located): \($0.message)" }.joined(separator: "\n")
    }
}
