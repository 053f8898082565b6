import ArgumentParser
import Pages
import Settings
import SignIn

/// `print-templates`: writes the built-in templates, or prints how to write one's own.
struct PrintTemplates: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-templates",
        abstract: "Write the built-in page templates to a folder, to change them.",
        discussion: """
            Writes each template with a comment that names its tags, and the texts of all \
            languages. SIGNIN_TEMPLATES=FOLDER uses them; until they are changed, all pages \
            stay as they are. Delete the files that you do not change, so that an upgrade \
            can improve them.

            A file that is there already is never changed: the command says whether it \
            differs from the built-in one.

            Without a folder, prints every template and tag with its meaning, as Markdown.

            Exits with 0, or with 73 if a file cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp("Where to write the files; made if it is missing.", valueName: "folder"),
        completion: .directory
    )
    var folder: String?

    func perform() throws(StartFailure) {
        guard let folder else { return print(PagesDocumentation.text) }
        let writer = FolderWriter(folder: folder)
        for file in TemplateFile.all {
            let path = writer.path(file.path)
            switch try writer.add(file.text, as: file.path) {
            case .written: print("written: \(path)")
            case .same: print("unchanged: \(path)")
            case .different: print("kept: \(path) differs from the built-in file")
            }
        }
    }
}
