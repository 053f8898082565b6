/// A setting: its name, its default and its meaning.
package struct Setting: Sendable, Hashable {
    package let name: String
    /// The text used if no value is set; nil if there is no default.
    package let defaultText: String?
    /// A sentence for `check`, `--help` and the example file.
    package let summary: String
    /// Whether the value is a secret, which is never shown and may come from the file that `NAME_FILE` names.
    package let isSecret: Bool
    /// Whether the value is text for people, which may contain any character.
    var isFreeText: Bool { ["SIGNIN_CONTACT", "SIGNIN_SITE_NAME"].contains(name) }

    init(_ name: String, default defaultText: String? = nil, secret isSecret: Bool = false, _ summary: String) {
        self.name = name
        self.defaultText = defaultText
        self.summary = summary
        self.isSecret = isSecret
    }
}
