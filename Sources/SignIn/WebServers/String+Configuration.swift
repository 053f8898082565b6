extension String {
    /// The lines, each but the empty ones moved to the right.
    func indented(by count: Int) -> String {
        let margin = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }
            .joined(separator: "\n")
    }
}
