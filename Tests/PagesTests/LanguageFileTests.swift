import Foundation
import Templates
import Testing

@testable import Pages

struct LanguageFileTests {
    private static let directory = URL(filePath: #filePath).appending(path: "../../../Sources/Pages/Texts")
        .standardized

    private func file(_ language: Language) throws -> LanguageFile {
        let builtIn = try #require(BuiltInLanguage.all.first { $0.tag == language.tag })
        return LanguageFile(builtIn.texts)
    }

    @Test func `every language file is in the binary`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
        #expect(files.count == Set(BuiltInLanguage.all.map(\.texts)).count)
    }

    @Test(arguments: Language.builtIn)
    func `every language has all texts with the placeholders of the English texts`(language: Language) throws {
        let (file, english) = (try file(language), try file(.english))
        #expect(TranslationCheck.faults(of: file, against: english) == [])
        #expect(Translation(language, replacement: nil, english: english).missing == [])
        #expect(file.forms.count == english.forms.count)
    }

    @Test func `English has exactly the texts that pages use`() throws {
        let kinds = Problem.Kind.allCases
        let needed = Set(
            TextKey.allCases.map(\.rawValue) + CountedKey.allCases.map(\.rawValue) + [
                "direction", "language", "date", "months",
            ]
        )
        .union(kinds.flatMap { [$0.titleKey, $0.happenedKey] })
        let keys = Set(try file(.english).forms.keys)
        #expect(needed.subtracting(keys) == [])
        #expect(keys.subtracting(needed).subtracting(kinds.map(\.nextKey)) == [])
    }

    @Test(arguments: BuiltInLanguage.all.map(\.tag))
    func `the language menu has the name in the language's own file`(tag: String) throws {
        let language = try #require(Language(tag))
        #expect(try LanguageSet().name(of: language) == file(language).forms["language"]?.first?.text)
    }

    @Test(arguments: [
        ("en", "31", "Jan 31, 2027"), ("de", "31", "31. Januar 2027"), ("fr", "31", "31 janvier 2027"),
        ("fr", "01", "1er janvier 2027"), ("ja", "31", "2027年1月31日"),
    ])
    func `a date is written as people of the language write it`(tag: String, day: String, text: String) throws {
        let language = try #require(Language(tag))
        #expect(try LanguageSet().translation(to: language).text(Day(iso8601: "2027-01-\(day)T23:59:59Z")) == text)
    }

    @Test(arguments: [("en_US", "English"), ("pt-BR", "Português"), ("zh_TW", "繁體中文"), ("xx_YY", "xx_YY")])
    func `a language of a profile has its own name`(locale: String, name: String) {
        #expect(LanguageName.of(locale) == name)
    }

    @Test func `every text is used on a page`() throws {
        let tags = try Template.all.flatMap { try TemplateSource($0.embedded).tags }.map(\.name)
        let used = Set(tags + Problem.Action.allCases.map { "text.\($0.label.rawValue)" })
            // The values of the tag `fault`.
            .union(["NameWrong", "LocationsWrong", "PathWrong", "FormOld", "StoreFull"].map { "text.token\($0)" })
            // The values of the tags `fault` and `formKept`.
            .union(["text.tokensFull", "text.choiceForm"])
        #expect(TextKey.allCases.filter { !used.contains("text.\($0.rawValue)") } == [])
    }

    @Test(arguments: Language.builtIn.filter { $0 != .english })
    func `every text is translated`(language: Language) throws {
        let (file, english) = (try file(language), try file(.english))
        let same = file.forms.filter { key, forms in
            key != "direction" && forms.map(\.text) == english.forms[key]?.map(\.text)
        }
        #expect(same.keys.sorted() == [])
    }

    @Test(
        arguments: [
            ("home", "line 1: is not \"key = text\""), ("home =", "line 1: home has no text"),
            ("home = a\n\nhome = b", "line 3: home is defined twice"), ("hmoe = a", "line 1: there is no text hmoe"),
            ("signIn = a", "line 1: signIn lacks {provider}"), ("home = {site", nil),
            ("home = {nope}", "line 1: home has no placeholder {nope}"),
            ("wait.days[1] = a day", "line 1: wait.days has no form without brackets"),
            ("wait.days[x] = a day", "line 1: wait.days[x] needs numbers such as 1 or 2-4,22-24 in brackets"),
            ("home[1] = Home", "line 1: home does not depend on a number"),
            ("direction = up", "line 1: direction must be ltr or rtl"),
            ("months = Gennaio Febbraio", "line 1: months must be twelve words"),
            ("# note\r\n \t\n home\t=  a = b ", nil), ("wait.days = {count} d\nwait.days[1] = one day", nil),
        ] as [(String, String?)]
    )
    func `a fault of a language file is reported with its line`(content: String, fault: String?) throws {
        let faults = TranslationCheck.faults(of: LanguageFile(content), against: try file(.english))
        let texts = faults.map { "line \($0.line): \($0.reason)" }
        #expect(fault.map(texts.contains) ?? texts.isEmpty, "\(texts)")
    }

    @Test(arguments: [(1, "день"), (21, "день"), (2, "дня"), (24, "дня"), (5, "дней"), (11, "дней"), (365, "дней")])
    func `a language can have a form of a text for each plural`(count: Int, word: String) throws {
        let lines = [
            "wait.days = {count} дней", "wait.days[1,21] = {count} день", "wait.days[2-4, 22-24] = {count} дня",
        ]
        let english = try file(.english)
        let russian = Translation(
            try #require(Language("ru")),
            replacement: LanguageFile(lines.joined(separator: "\n")),
            english: english
        )
        #expect(russian["wait.days", count] == "{count} \(word)")
        #expect(russian["home"] == english.forms["home"]?.first?.text)
    }

    @Test func `braces in a value are not replaced`() {
        #expect(Placeholder.fill("{provider}, {count} {x} {", [.provider: "{count}"]) == "{count}, {count} {x} {")
    }

    @Test(arguments: [
        "", "e", "english-language-tag-that-is-too-long", "d e", "de/..", "de-", "-de", "1e", "de\r\n", "dé",
    ])
    func `an invalid language tag is rejected`(tag: String) {
        #expect(Language(tag) == nil)
    }
}
