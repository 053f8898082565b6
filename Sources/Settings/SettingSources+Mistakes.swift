import OpenID

extension SettingSources {
    /// Values with quotes, comments or names that other programs would remove and this program does not.
    package var mistakes: [ConfigurationError.Problem] {
        let known = Set(problems.map(\.subject))
        return Setting.all.compactMap { setting in
            guard !known.contains(setting.name), let value = value(setting),
                let message = Self.mistake(in: value.text, of: setting)
            else {
                return nil
            }
            return .init(subject: setting.name, message: message, place: place(of: setting))
        }
    }

    /// Values for people that may end with a comment, which the program shows too.
    package var notes: [String] {
        Setting.all.filter { $0.use == .words && value($0)?.text.contains(" #") == true }.map { setting in
            "\(setting.name)\(place(of: setting).map { " (\($0))" } ?? "") contains “ #”, and pages show the text after it too: put "
                + "a comment on its own line"
        } + providers.flatMap(\.notes)
    }

    /// The mistakes, and those of other problems that no mistake explains.
    func mistakes(and others: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
        let mistakes = mistakes
        return mistakes + others.filter { other in !mistakes.contains { $0.subject == other.subject } }
    }

    private static let quoted = "has quotes around the value: remove them, because they would be part of the value"
    /// Editors for letters write them in place of `"` and `'`.
    private static let typographicQuotes: Set<Character> = ["“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»"]

    /// Returns what is wrong and how to fix it, without the value; nil if nothing is wrong.
    private static func mistake(in text: String, of setting: Setting) -> String? {
        if let quote = text.first, quote == text.last, text.count > 1, quote == "\"" || quote == "'" {
            return Self.quoted
        }
        if setting.use != .words, let first = text.first, let last = text.last, text.count > 1,
            typographicQuotes.contains(first), typographicQuotes.contains(last)
        {
            return Self.quoted
        }
        guard setting.isSecret || [Setting.clientID, Setting.providerClientID].contains(setting) else {
            let isComment = text.contains(" #") && setting.use != .words
            return isComment ? "has a comment after the value: put the comment on its own line" : nil
        }
        guard !isKey(text, of: setting) else { return nil }
        if text.first?.isNewline == true { return "has an empty first line: write only the value itself into the file" }
        let name = text.prefix { $0 != "=" }
        if name.count < text.count, isName(name) {
            return "looks like a line of a settings file: set only the text after the = sign"
        }
        let hasSpace = text.contains(where: \.isWhitespace)
        return hasSpace ? "contains white space or several lines: set only the value itself" : nil
    }

    /// The text in one line if the setting may have several lines, as a key has.
    static func line(_ text: String, of setting: Setting) -> String {
        isKey(text, of: setting) ? text.filter { !$0.isNewline } : text
    }

    private static func isKey(_ text: String, of setting: Setting) -> Bool {
        setting == Setting.providerClientSecret && ClientKey.isPEM(text)
    }

    private static func isName(_ text: Substring) -> Bool {
        let name = text.trimmingPrefix("export ").filter { $0 != " " }.uppercased()
        return ["LINKEDIN_", "PROVIDER_", "SIGNIN_"].contains(where: name.hasPrefix)
            || ["CLIENT_SECRET", "CLIENT_ID"].contains(name)
    }
}
