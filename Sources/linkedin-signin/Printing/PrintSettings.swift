import ArgumentParser
import Settings
import SignIn

/// `print-settings`: prints every setting, as a page of the documentation or as a settings file.
struct PrintSettings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-settings",
        abstract: "Print every setting with its values, its default and its meaning, as Markdown.",
        discussion: """
            `linkedin-signin check` shows the values in use.
            """
    )

    @Flag(help: "Print a settings file instead, in which each setting is a comment.")
    var asFile = false

    func run() {
        print(asFile ? Self.file : Self.page)
    }

    private static var page: String {
        let groups = Setting.groups.map { group in
            "\n## \(group.title)\n\n" + group.settings.map(section).joined(separator: "\n")
        }
        return introduction + groups.joined()
    }

    private static let introduction = """
        # Settings

        Settings are environment variables, or `NAME=value` lines of the file that `--settings-file` names. If the environment
        and the file have the same setting, the program uses the value in the environment. `linkedin-signin check` shows every
        value, its source and its errors.
        `linkedin-signin print-settings --as-file` prints a settings file in which each setting is a comment.

        A site with LinkedIn needs \(link(Setting.baseURL)), \(link(Setting.clientID)) and the client secret. The client secret comes from
        \(link(Setting.clientSecret)), \(link(Setting.clientSecretFile)) or a systemd credential. For a site with another
        provider, `PROVIDER_ISSUER` and `PROVIDER_CLIENT_ID` [replace the settings of LinkedIn](providers.md#settings).

        - A time is a number and `s`, `m`, `h` or `d`: `10s`, `5m`, `1h`, `30d`. A number without a letter is a time in seconds.
        - A size is a number of bytes, or a number and `K` or `M`: `64K`, `1M`.
        - In a file, a value may be in quotes. In the environment, quotes are an error. A comment needs its own line.
        - An unknown name in the file is an error. An unknown name in the environment is an error if it begins with `SIGNIN_`.
        - *reload* means that `systemctl reload linkedin-signin`, or the signal SIGHUP, applies a new value. *restart* means
          that only `systemctl restart linkedin-signin` applies a new value. A secret that systemd passes as a
          credential always needs a restart: the units of the package pass client secrets in this way.

        This page is the output of `linkedin-signin print-settings`. The settings are:

        \(Setting.groups.map(indexed).joined(separator: "\n"))

        """

    private static func indexed(_ group: (title: String, settings: [Setting])) -> String {
        let anchor = group.title.lowercased().map { $0 == " " ? "-" : $0 }
        return "- [\(group.title)](#\(String(anchor))): \(group.settings.map(link).joined(separator: ", "))"
    }

    private static func link(_ setting: Setting) -> String {
        "[`\(setting.name)`](#\(setting.name.lowercased()))"
    }

    private static func section(_ setting: Setting) -> String {
        let required = setting.isSecret ? "none, required without a file or a systemd credential" : "none, required"
        let preset = setting.defaultText.map { $0.isEmpty ? "no value" : "`\($0)`" } ?? required
        return """
            ### \(setting.name)

            - Value: \(setting.values)
            - Default: \(preset)
            - To apply a change: \(setting.needsRestart ? "restart" : "reload")

            \(linked(setting.meaning))

            """
    }

    /// Makes names of settings links to their sections.
    private static func linked(_ text: String) -> String {
        let words = text.split(separator: " ").map { word in
            let name = word.prefix { $0.isUppercase || $0 == "_" }
            let setting = Setting.all.first { $0.name == name }
            return (setting.map(link) ?? String(name)) + word.dropFirst(name.count)
        }
        return words.joined(separator: " ")
    }

    private static var file: String {
        let groups = Setting.groups.map { group in
            "\n# --- \(group.title) ---\n\n" + group.settings.map(lines).joined()
        }
        return head + groups.joined()
    }

    private static let head = """
        # Settings of linkedin-signin: NAME=value lines. `linkedin-signin serve --settings-file` reads this file.
        # Each line shows the default; a line without a value has no default. Uncomment only the lines that you change.
        # `linkedin-signin check` shows the values in use. Times: 10s, 5m, 1h, 30d. Sizes: 64K, 1M.

        """

    private static func lines(_ setting: Setting) -> String {
        let comment = "\(setting.meaning) Value: \(setting.values)."
        return "\(wrapped(comment))#\(setting.name)=\(setting.defaultText ?? "")\n"
    }

    /// A comment in lines of at most 120 characters.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, line.count + word.count < 120 {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append("# \(word)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
