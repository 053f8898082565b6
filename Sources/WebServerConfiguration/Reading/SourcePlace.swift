/// A line of a configuration file.
struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    let file: String
    /// From 1 on.
    let line: Int

    var description: String { "\(file):\(line)" }
}
