import Foundation
import Sessions
import Templates
import TestSupport
import Testing

@testable import Pages
@testable import Settings

struct TemplateFilesTests {
    /// Writes the built-in files to a folder and reads them as templates.
    private func written() throws -> PageRenderer {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        let languages = directory.appending(path: "languages")
        try FileManager.default.createDirectory(at: languages, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for file in TemplateFile.all { try Data(file.text.utf8).write(to: directory.appending(path: file.path)) }
        return try PageRenderer(templateDirectory: directory.path())
    }

    @Test func `the written templates and texts give the built-in pages byte for byte`() throws {
        let (written, embedded) = (try written(), try PageRenderer(templateDirectory: nil))
        #expect(written.notes.isEmpty && written.languages == embedded.languages)
        for (page, language) in Page.samples.flatMap({ page in Language.builtIn.map { (page, $0) } }) {
            #expect(written.render(page, language: language) == embedded.render(page, language: language))
            #expect(written.policy(for: page) == embedded.policy(for: page))
        }
    }

    @Test(arguments: Template.all.map(\.name).filter { $0 != "style" })
    func `a written template names every tag that it can use and every tag that it needs`(name: String) throws {
        let template = try #require(Template.all.first { $0.name == name })
        let file = try #require(TemplateFile.all.first { $0.path == template.fileName })
        let comment = try #require(file.text.split(separator: "}}", maxSplits: 1).first)
        for field in template.fields { #expect(comment.contains("  \(field.name) ")) }
        for tag in template.requiredTags { #expect(comment.contains(tag)) }
        #expect(try TemplateSource(file.text).tags.first?.kind == .comment)
    }

    @Test(arguments: Template.pages.map(\.name))
    func `every tag of a page is documented, and every documented tag has a value on some page`(
        name: String
    ) throws {
        let template = try #require(Template.pages.first { $0.name == name })
        let rejected = ["help@example.com", "the office"].map {
            Page.problem(Problem(.accountNotAllowed, requestID: "0123", contact: $0, returnPath: "/private/"))
        }
        let given = try (Page.samples + rejected).filter { type(of: $0.content).template.name == name }.map(values)
        let known = (template.fields + TemplateField.common).map(\.name)
        let found = Set(given.flatMap(names))
        #expect(found == Set(known))
        let documented = TemplateReference.pageTags + TemplateReference.commonTags
        for name in found { #expect(documented.contains("| `\(name)` |")) }
    }

    @Test func `every text has a tag with its English text`() throws {
        let english = Dictionary(
            uniqueKeysWithValues: try values(of: .signedOut()).filter { $0.key.hasPrefix("text.") }
        )
        #expect(english.count == TextKey.allCases.count)
        let rows = TemplateReference.texts.split(separator: "\n")
        for key in TextKey.allCases {
            let row = try #require(rows.first { $0.hasPrefix("| `text.\(key)` |") })
            let shown = row.replacing("{provider}", with: "LinkedIn").replacing("{site}", with: "Example Club")
            guard case .text(let text)? = english["text.\(key)"] else { throw MissingText(key: key) }
            #expect(shown == "| `text.\(key)` | \(text) |")
        }
    }

    private struct MissingText: Error { let key: TextKey }

    /// The names of the tags with a value, without the texts.
    private func names(_ values: [String: TemplateValue]) -> [String] {
        values.flatMap { name, value in
            switch value {
            case .text(let text): text.isEmpty || name.hasPrefix("text.") ? [] : [name]
            case .flag(let flag): flag ? [name] : []
            case .list(let elements): elements.isEmpty ? [] : [name] + elements.flatMap(names)
            }
        }
    }

    private func values(of page: Page) throws -> [String: TemplateValue] {
        let paths = Paths(home: Place("/shop", mount: Mount(origin: "https://site.example", path: "")))
        let translation = try LanguageSet().translation(to: .english)
        let picture = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        let site = SiteLabel(name: "Example Club", colors: nil, logo: try Logo(picture))
        let provider = ProviderLabel(name: "LinkedIn", logo: site.logo)
        let wording = Wording(translation, provider: provider, site: site, paths: paths)
        let google = ProviderLabel(id: try #require(ProviderID("google")), name: "Google", logo: site.logo)
        let context = PageContext(
            wording: wording,
            provider: provider,
            providers: [provider, google].map { ($0, "Sign in with \($0.name)") },
            paths: paths,
            pictureSources: .linkedIn
        )
        var fields = page.content.fields(in: context)
        LanguageMenu(entries: [(.english, "English"), (.german, "Deutsch")], paths: paths)
            .add(to: &fields, in: .english, at: "/private/")
        return fields.values
    }
}
