/// Every template that cannot be used, each with its reason, all found at start.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package struct Fault: Sendable, Hashable, CustomStringConvertible {
        /// The file's name in the template directory, or the directory's path.
        package let file: String
        package let reason: String

        package var description: String { "\(file): \(reason)" }
    }

    /// Never empty; each once, in the order of file names.
    package let faults: [Fault]

    init(_ faults: [Fault]) {
        self.faults = Set(faults).sorted { ($0.file, $0.reason) < ($1.file, $1.reason) }
    }

    /// One line for each.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
