/// One thing an operator can set: its name, its default as text, and what it does.
package struct Setting: Sendable, Hashable {
    package let name: String
    /// The text that stands for an absent value; nil if there is no default.
    package let defaultText: String?
    /// A sentence for `check`, `--help` and the example file.
    package let summary: String
    /// Whether the value is never shown; such a setting may also come from a file named by `NAME_FILE`.
    package let isSecret: Bool
    /// Whether the value is text for people, in which any character may stand.
    var isFreeText: Bool { ["SIGNIN_CONTACT", "SIGNIN_SITE_NAME"].contains(name) }

    init(_ name: String, default defaultText: String? = nil, secret isSecret: Bool = false, _ summary: String) {
        self.name = name
        self.defaultText = defaultText
        self.summary = summary
        self.isSecret = isSecret
    }
}
