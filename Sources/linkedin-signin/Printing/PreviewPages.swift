import ArgumentParser
import Pages
import Settings
import SignIn

/// `preview`: writes every page with invented data, to look at in a browser.
struct PreviewPages: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Write every page with sample data to a folder, to look at the pages.",
        discussion: """
            Writes each page in each language and in both themes, and index.html with links \
            to all pages. The pages have your name, color, logo and templates if the \
            settings have them. Open index.html in a browser. The pages have the same \
            content security policy as on the site, except that they cannot load or send \
            anything.

            preview needs no setting, reads no secret and uses no network. The folder must \
            be new, empty, or from an earlier preview: preview replaces files of the same \
            names, and removes no other files.

            Exits with 0; with 73 if a file cannot be written; with 78 if a setting or a \
            template is wrong.
            """
    )

    @Argument(help: ArgumentHelp("Where to write the pages.", valueName: "folder"), completion: .directory)
    var folder: String

    @OptionGroup var settings: SettingsOptions

    func perform() throws(StartFailure) {
        let preview: Preview
        do throws(ConfigurationError) {
            let settings = try PageSettings(settings.sources(readSecret: { _ in "" }))
            preview = try Preview(contact: settings.contact) { theme throws(ConfigurationError) in
                try PageRenderer(settings, theme: theme)
            }
        } catch {
            throw .misconfigured(error)
        }
        let writer = FolderWriter(folder: folder)
        let index = preview.index
        if try !writer.isEmpty {
            let present = try writer.content(of: index.path).map { String(decoding: $0, as: UTF8.self) }
            guard present?.contains(Preview.mark) == true else {
                let reason = "contains files that no preview wrote: name a new or empty folder"
                throw .cannotCreate("\(folder) \(reason)")
            }
        }
        try writer.replace(index.path, with: index.text)
        for page in preview.pages { try writer.replace(page.path, with: page.text) }
        print("\(preview.count) pages written: open \(writer.path(index.path)) in a browser")
    }
}
