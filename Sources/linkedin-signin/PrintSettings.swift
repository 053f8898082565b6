import ArgumentParser
import Settings
import SignIn

/// `print-settings`: prints every setting, as a page of the documentation.
struct PrintSettings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-settings",
        abstract: "Print every setting with its default and its meaning, as Markdown.",
        discussion: """
            `linkedin-signin check` shows the values in use.
            """
    )

    func run() {
        print(Self.introduction)
        for group in Setting.groups {
            print("\n## \(group.title)\n\n| setting | default | meaning |\n| --- | --- | --- |")
            for setting in group.settings { print(Self.row(setting)) }
        }
    }

    private static let introduction = """
        # Settings

        Settings are environment variables, or `NAME=value` lines of the file that `--settings-file` names. The environment
        wins. `linkedin-signin check` shows every value, where it comes from, and what is wrong with it. The same list with
        room for your values is `deploy/settings.example`.

        - Times are a number and a unit: `10s`, `5m`, `1h`, `30d`.
        - Sizes are a number of bytes, or a number with `K` or `M`: `64K`, `1M`.
        - In a file, a value may be in quotes. In the environment, quotes are an error. A comment needs its own line.
        - SIGHUP makes a new value take effect. Where the meaning ends in (restart), only a restart does.
        - An unknown name that begins with `LINKEDIN_` or `SIGNIN_` is an error.

        Three settings are required: `LINKEDIN_CLIENT_ID`, `LINKEDIN_CLIENT_SECRET` and `SIGNIN_BASE_URL`.

        This page is the output of `linkedin-signin print-settings`.
        """

    private static func row(_ setting: Setting) -> String {
        let value = setting.defaultText.map { $0.isEmpty ? "" : "`\($0)`" } ?? "required"
        let summary = setting.summary + (setting.needsRestart ? " (restart)" : "")
        return "| `\(setting.name)` | \(value) | \(summary) |"
    }
}
