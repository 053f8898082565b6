import Foundation
import Pages
import TestSupport
import Testing

struct TemplateDirectoryTests {
    /// Creates a renderer with a directory of these files, or returns why it is rejected.
    private func result(_ files: [String: String]) throws -> Result<PageRenderer, TemplateError> {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let languages = directory.appending(path: "languages")
        try FileManager.default.createDirectory(at: languages, withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        return Result { () throws(TemplateError) in try PageRenderer(templateDirectory: directory.path()) }
    }

    private func faults(_ files: [String: String]) throws -> [String] {
        guard case .failure(let error) = try result(files) else { return [] }
        return error.faults.map(\.description)
    }

    private static let signedOut = """
        {{<layout}}
        {{$main}}
        <h1>Bye</h1>
        {{#signOutPage}}<a href="{{signOutPage}}">{{text.signOutAtProvider}}</a>{{/signOutPage}}
        <a href="{{paths.login}}">{{text.signIn}}</a>
        {{/main}}
        {{/layout}}
        """

    @Test func `a file replaces the embedded template with the same name`() throws {
        let renderer = try result(["signed-out.mustache": Self.signedOut, "README": "{{"]).get()
        let markup = try Markup(String(decoding: renderer.render(.signedOut(), language: .english), as: UTF8.self))
        #expect(markup["h1"].map(\.text) == ["Bye"])
        #expect(markup["html"].count == 1)
        let home = try Markup(String(decoding: renderer.render(.home(HomePage()), language: .english), as: UTF8.self))
        #expect(home["h1"].map(\.text) == ["Sign in to localhost"])
    }

    @Test func `a file with another name can be included by templates`() throws {
        let files = [
            "signed-out.mustache": Self.signedOut.replacing("<h1>Bye</h1>", with: "{{> farewell}}"),
            "farewell.mustache": "<h1>{{text.signedOutTitle}}</h1>",
        ]
        let page = try result(files).get().render(.signedOut(), language: .simplifiedChinese)
        #expect(try Markup(String(decoding: page, as: UTF8.self))["h1"].map(\.text) == ["您已退出 localhost"])
    }

    @Test func `the drawing is behind every page, hidden from screen readers, unless a file is empty`() throws {
        for (files, count) in [([:], 1), (["backdrop.mustache": ""], 0)] {
            let renderer = try result(files).get()
            for page in Page.samples {
                let text = renderer.render(page, language: .english)
                let drawings = try Markup(String(decoding: text, as: UTF8.self))["svg"]
                    .filter { $0.attributes["class"] == "scenery" }
                #expect(
                    drawings.count == count && drawings.allSatisfy { $0.attributes["aria-hidden"] == "true" },
                    "\(page)"
                )
            }
        }
    }

    @Test func `a footer file is added to every page`() throws {
        let files = ["footer.mustache": "<footer><a href=\"{{paths.home}}imprint\">Imprint</a></footer>"]
        for page in [Page.home(HomePage()), .problem(Problem(.notFound, requestID: ""))] {
            for (files, count) in [(files, 1), ([:], 0)] {
                let text = try result(files).get().render(page, language: .english)
                let markup = try Markup(String(decoding: text, as: UTF8.self))
                #expect(markup["footer"].count == count)
                #expect(markup["a"].filter { $0.attributes["href"] == "/imprint" }.count == count)
            }
        }
    }

    @Test func `a language file in the directory adds a language or replaces texts`() throws {
        let files = ["languages/ar.txt": "direction = rtl\nhome = الرئيسية\n", "languages/en.txt": "home = Start"]
        let renderer = try result(files).get()
        let arabic = renderer.language(acceptLanguage: "ar-EG,en;q=0.5")
        #expect(arabic.tag == "ar")
        let page = Page.problem(Problem(.notFound, requestID: ""))
        for (language, attributes, home) in [
            (arabic, ["lang": "ar", "dir": "rtl"], "الرئيسية"), (.english, ["lang": "en", "dir": "ltr"], "Start"),
        ] {
            let markup = try Markup(String(decoding: renderer.render(page, language: language), as: UTF8.self))
            #expect(markup["html"].map(\.attributes) == [attributes])
            #expect(markup["a"].contains { $0.text == home })
            #expect(markup["h1"].map(\.text) == ["Page not found"])
        }
        #expect(renderer.notes.count == 1 && renderer.notes[0].hasPrefix("languages/ar.txt lacks "))
        #expect(renderer.notes[0].contains(" access_ended.happened, "))
    }

    @Test(arguments: [
        ("languages/de.txt", "home Start", "languages/de.txt: line 1: is not \"key = text\""),
        ("languages/de.txt", "signIn = Anmelden", "languages/de.txt: line 1: signIn lacks {provider}"),
        (
            "languages/deutsche_texte.txt", "home = Start",
            "languages/deutsche_texte.txt: is not named by a language tag, such as pt-BR.txt"
        ),
    ])
    func `a faulty language file is rejected at start with its line and reason`(
        file: String,
        text: String,
        fault: String
    ) throws {
        #expect(try faults([file: text]) == [fault])
    }

    @Test func `text is escaped in templates of the directory too`() throws {
        let layout = "<!DOCTYPE html>\n<html><title>{{$title}}{{/title}}</title>{{$main}}{{/main}}</html>"
        let member = "{{#name}}<b title=\"{{name}}\">{{name}}</b>{{/name}}"
        let renderer = try result(["layout.mustache": layout, "member.mustache": member]).get()
        for text in HostileText.all {
            let page = renderer.render(.home(HomePage(signedIn: .sample(name: text))), language: .english)
            let element = try #require(try Markup(String(decoding: page, as: UTF8.self))["b"].first)
            #expect(element.text.unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(element.attributes["title"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        }
    }

    @Test(arguments: [
        ("member.mustache", "{{#name}}", "member.mustache: line 1: a section is never closed"),
        ("member.mustache", "a\n{{name", "member.mustache: line 2: a tag is never closed"),
        ("member.mustache", "a\nb{{/name}}", "member.mustache: line 2: this tag does not close the open section"),
        ("member.mustache", "{{nmae}}", "member.mustache: line 1: the page home has no field nmae"),
        (
            "member.mustache", "\n\n{{#text.nope}}{{/text.nope}}",
            "member.mustache: line 3: the page home has no field text.nope"
        ),
        ("member.mustache", "{{title}}", "member.mustache: line 1: the page profile has no field title"),
        ("member.mustache", "{{{name}}}", "member.mustache: line 1: name would not be escaped"),
        ("member.mustache", "{{& name }}", "member.mustache: line 1: name would not be escaped"),
        ("member.mustache", "{{name%}}", "member.mustache: line 1: a tag has no valid name or end"),
        ("member.mustache", "{{%CONTENT_TYPE:NONE}}", "member.mustache: line 1: delimiters and pragmas cannot be set"),
        ("member.mustache", "{{%CONTENT_TYPE:TEXT}}", "member.mustache: line 1: delimiters and pragmas cannot be set"),
        ("member.mustache", "{{=<% %>=}}<%name%>", "member.mustache: line 1: delimiters and pragmas cannot be set"),
        ("member.mustache", "{{> nothing}}", "member.mustache: line 1: there is no template nothing.mustache"),
        ("member.mustache", "{{>*name}}", "member.mustache: line 1: there is no template *name.mustache"),
        ("member.mustache", "{{> member}}", "member.mustache: line 1: member includes this template in turn"),
        ("member.mustache", "{{> profile}}", "member.mustache: line 1: profile includes this template in turn"),
        ("member.mustache", "{{$mian}}{{/mian}}", "member.mustache: line 1: there is no block mian"),
        (
            "home.mustache", "{{paths.login}}{{paths.profile}}{{profileLink}}",
            "home.mustache: lacks the tag {{paths.logout}}"
        ),
        ("layout.mustache", "{{$title}}{{/title}}", "layout.mustache: lacks the tag {{$main}}"),
        ("hmoe.mustache", "x", "hmoe.mustache: is not included by any page"),
        ("style.mustache", "x", "style.mustache: is ignored: the style sheet is read from style.css"),
        ("style.css", "</style><script>", "style.css: a style sheet cannot contain </"),
        ("style.css", "a {{ }", "style.css: line 1: a tag is never closed"),
    ])
    func `a faulty template is rejected at start with its file, line and reason`(
        file: String,
        text: String,
        fault: String
    ) throws {
        let faults = try faults([file: text])
        #expect(faults.contains(fault), "\(faults)")
    }

    @Test func `all faulty templates are reported together`() throws {
        let faults = try faults(["home.mustache": "{{x", "member.mustache": "{{#name}}", "profile.mustache": "{{{name"])
        #expect(faults.count == 3)
        #expect(try self.faults(["problem.mustache": "", "member.mustache": "{{nmae}}"]).count == 8)
    }

    @Test func `a missing template directory is reported with its path`() {
        let error = #expect(throws: TemplateError.self) {
            try PageRenderer(templateDirectory: "/nonexistent/templates")
        }
        #expect(error?.description == "/nonexistent/templates: is not a readable directory")
    }

    @Test func `a template that is not text is rejected`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data([0xff, 0xfe]).write(to: directory.appending(path: "home.mustache"))
        let member = directory.appending(path: "member.mustache")
        try FileManager.default.createDirectory(at: member, withIntermediateDirectories: false)
        let error = #expect(throws: TemplateError.self) { try PageRenderer(templateDirectory: directory.path()) }
        #expect(error?.description == "home.mustache: is not UTF-8 text\nmember.mustache: cannot be read")
    }
}
