import Templates

/// A template, which may include itself as `page` and a valid template as `part`.
///
/// It must be rejected or rendered, with every value escaped.
enum TemplateInput {
    private static let part = "{{$main}}part {{x}}{{/main}}{{#list}}{{x}}{{/list}}"

    static func take(_ input: [UInt8]) {
        // Partials multiply, so a long text would only cost time.
        guard input.count <= 512 else { return }
        let text = String(decoding: input.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        guard let page = try? TemplateSource(text), let part = try? TemplateSource(part) else { return }
        check(page.tags, of: text)
        // The program rejects templates that include each other, because their output would be too large.
        guard !page.tags.contains(where: { [.partial, .parent].contains($0.kind) && $0.name == "page" }) else { return }
        let values: [String: TemplateValue] = [
            "x": .text("\"\u{600}\"\u{301}"), "flag": .flag(true), "list": .list([["x": .text("\"")], [:]]),
        ]
        let output = CompiledTemplate("page", in: ["page": page, "part": part]).render(values)
        precondition(!output.contains(UInt8(ascii: "\"")), "a value was not escaped")
        precondition(String(validating: output, as: UTF8.self) != nil, "the output is not UTF-8")
    }

    private static func check(_ tags: [TemplateTag], of text: String) {
        let lines = text.utf8.count { $0 == 0x0a } + 1
        precondition(tags.allSatisfy { (1...lines).contains($0.line) }, "a tag has a line that does not exist")
        precondition(zip(tags, tags.dropFirst()).allSatisfy { $0.line <= $1.line }, "lines are out of order")
    }
}
