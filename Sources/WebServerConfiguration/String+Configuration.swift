extension String {
    /// A path without a slash at its end.
    var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }

    /// Indents every line that is not empty.
    func indented(by count: Int) -> String {
        let margin = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }
            .joined(separator: "\n")
    }

    /// Comments out every line that is neither empty nor a comment.
    var commented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty || $0.hasPrefix("#") ? String($0) : "#" + $0 }
            .joined(separator: "\n")
    }
}
