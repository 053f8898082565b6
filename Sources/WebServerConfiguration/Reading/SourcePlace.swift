/// A line of a configuration file.
struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    let file: String
    /// The number of the line; the first is 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}
