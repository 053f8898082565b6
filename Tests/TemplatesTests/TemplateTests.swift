import Templates
import Testing

@Suite struct TemplateTests {
    private func render(_ texts: [String: String], _ values: [String: TemplateValue] = [:]) throws -> String {
        let library = try texts.mapValues { text in try TemplateSource(text) }
        return String(decoding: CompiledTemplate("page", in: library).render(values), as: UTF8.self)
    }

    private func render(_ text: String, _ values: [String: TemplateValue] = [:]) throws -> String {
        try render(["page": text], values)
    }

    @Test func `a variable prints its text, or nothing without a text`() throws {
        #expect(
            try render("a{{x}}b{{ y.z }}c{{n}}", ["x": .text("1"), "y.z": .text("2"), "n": .flag(true)]) == "a1b2c"
        )
    }

    @Test func `a text is escaped byte by byte`() throws {
        let values: [String: TemplateValue] = ["x": .text("<a href=\"'&'\">\u{600}<\u{301}\u{0}\t")]
        let expected = "&lt;a href=&quot;&#39;&amp;&#39;&quot;&gt;\u{600}&lt;\u{301}\u{fffd}\t"
        #expect(try render("{{x}}", values).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(
        arguments: [
            (TemplateValue.flag(true), "yes"), (.flag(false), "no"), (.text("t"), "yes"), (.text(""), "no"),
            (.list([]), "no"),
            (.list([[:], [:]]), "yesyes"), (nil, "no"),
        ] as [(TemplateValue?, String)]
    )
    func `a section is printed if its value is present, and an inverted section if not`(
        value: TemplateValue?,
        expected: String
    ) throws {
        let values = value.map { ["x": $0] } ?? [:]
        #expect(try render("{{#x}}yes{{/x}}{{^x}}no{{/x}}", values) == expected)
    }

    @Test func `values of a list element hide outer values`() throws {
        let list: TemplateValue = .list([["name": .text("inner")], [:]])
        let values: [String: TemplateValue] = ["name": .text("outer"), "list": list]
        #expect(try render("{{#list}}[{{name}}]{{/list}}{{name}}", values) == "[inner][outer]outer")
    }

    @Test func `a line with only a tag prints nothing`() throws {
        let text = "a\n  {{#x}}\nb\n  {{/x}}  \n{{! note }}\nc {{#x}} d{{/x}}\n{{x}}\ne"
        #expect(try render(text, ["x": .text("X")]) == "a\nb\nc  d\nX\ne")
    }

    @Test func `a partial is included at its place`() throws {
        let texts = ["page": "<{{> part}}>\n{{> part}}\nz", "part": "p{{x}}\n"]
        #expect(try render(texts, ["x": .text("1")]) == "<p1\n>\np1\nz")
    }

    @Test func `blocks replace the blocks of the parent, and missing blocks keep the parent's content`() throws {
        let texts = [
            "page": "{{<middle}}\n{{$main}}{{#x}}page {{x}}{{/x}}{{/main}}\n{{/middle}}",
            "middle": "{{<layout}}{{$title}}middle{{/title}}{{$main}}never{{/main}}{{/layout}}",
            "layout": "<{{$title}}layout{{/title}}|{{$main}}{{/main}}|{{$foot}}foot{{/foot}}>",
        ]
        #expect(try render(texts, ["x": .text("1")]) == "<middle|page 1|foot>")
    }

    @Test func `templates that include each other end at the maximum depth`() throws {
        let texts = ["page": "a{{> other}}", "other": "b{{> page}}"]
        #expect(try render(texts).hasPrefix("abab"))
    }

    @Test func `tags that would print without escaping print nothing and are reported by kind`() throws {
        let text = "a{{{x}}}b{{&x}}c{{=<% %>=}}d{{%CONTENT_TYPE:TEXT}}e"
        #expect(try render(text, ["x": .text("<")]) == "abcde")
        #expect(try TemplateSource(text).tags.map(\.kind) == [.unescaped, .unescaped, .pragma, .pragma])
    }

    @Test(
        arguments: [
            ("{{x", .unclosedTag, 1), ("a\n{{x}", .unclosedTag, 2), ("{{}}", .badName, 1), ("{{ }}", .badName, 1),
            ("{{x y}}", .badName, 1), ("\n{{x%}}", .badName, 2), ("{{#}}", .badName, 1),
            ("{{#x}}\n", .unclosedSection, 1),
            ("{{#x}}{{/y}}", .wrongEnd, 1), ("\n{{/x}}", .wrongEnd, 2), ("{{<p}}text{{/p}}", .textInParent, 1),
            ("{{<p}}{{x}}{{/p}}", .textInParent, 1), ("{{#x}}\n{{$b}}\n", .unclosedSection, 2),
        ] as [(String, TemplateSyntaxError.Reason, Int)]
    )
    func `an invalid template is rejected with its line`(
        text: String,
        reason: TemplateSyntaxError.Reason,
        line: Int
    ) {
        let error = #expect(throws: TemplateSyntaxError.self) { try TemplateSource(text) }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
    }

    @Test func `every tag has its line number`() throws {
        let tags = try TemplateSource("{{a}}\n{{#b}}\n{{! two\nlines }}\n{{/b}}\n\n{{c}}").tags
        #expect(tags.map(\.line) == [1, 2, 3, 5, 7])
    }
}
