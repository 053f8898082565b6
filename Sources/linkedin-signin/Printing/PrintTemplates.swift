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
            Writes each built-in template, with a comment that names its tags, and the texts \
            of all languages. To use the files of the folder, set SIGNIN_TEMPLATES=FOLDER. \
            The pages stay the same until you change a file. Delete the files that you do \
            not change, so that an upgrade can improve these templates and texts.

            print-templates never changes a file that exists, and says whether this file \
            differs from the built-in file.

            Without a folder, prints every template and tag with its meaning, as Markdown.

            Exits with 0; with 73 if a file cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp("The folder for the files; print-templates creates a missing folder.", valueName: "folder"),
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
