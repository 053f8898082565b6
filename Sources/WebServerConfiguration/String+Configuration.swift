extension String {
    /// The lines, each but the empty ones moved to the right.
    func indented(by count: Int) -> String {
        let margin = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }
            .joined(separator: "\n")
    }

    /// The lines as examples: what is a comment already stays as it is, and what is left out begins with `#`.
    var commented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty || $0.hasPrefix("#") ? String($0) : "#" + $0 }
            .joined(separator: "\n")
    }
}
