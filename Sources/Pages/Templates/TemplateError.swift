/// All faults of the template directory, found at start.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package struct Fault: Sendable, Hashable, CustomStringConvertible {
        /// The name of the file in the template directory, or the path of the directory.
        package let file: String
        package let reason: String

        package var description: String { "\(file): \(reason)" }
    }

    /// Never empty; without duplicates, in the order of file names.
    package let faults: [Fault]

    init(_ faults: [Fault]) {
        self.faults = Set(faults).sorted { ($0.file, $0.reason) < ($1.file, $1.reason) }
    }

    /// One line for each fault.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
