/// A line of a configuration file.
struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    let file: String
    /// The number of the line; the first is 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}

extension Sequence {
    /// The elements by the lines that they are about, in the order of the lines' names.
    func grouped(by place: (Element) -> SourcePlace) -> [(key: SourcePlace, value: [Element])] {
        Dictionary(grouping: self, by: place).sorted { $0.key.description < $1.key.description }
    }
}
