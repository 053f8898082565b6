/// A word of a command line, for commands that an operator can paste.
package enum ShellWord {
    /// Returns the text, in single quotes if a shell would not take it literally.
    package static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/._-:,@+=".utf8.contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The command that lets every user enter a directory; nil for the home of root, which must stay closed.
    package static func opening(_ directory: String) -> String? {
        directory == "/root" ? nil : "run: chmod a+x \(quoted(directory))"
    }
}
