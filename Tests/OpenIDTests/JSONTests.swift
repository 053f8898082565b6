import OpenID
import Testing

@Suite struct JSONTests {
    private func read(_ text: String) -> JSON? {
        JSON(parsing: Array(text.utf8))
    }

    @Test func `every kind of value is read`() {
        let text = " {\"a\" : [ null , true,false, -0.5e+1, 0, 12E2, \"x\" ],\r\n\t\"b\":{}, \"\":[] } "
        let expected: [String: JSON] = [
            "a": .array([.null, .bool(true), .bool(false), .number(-5), .number(0), .number(1200), .string("x")]),
            "b": .object([:]), "": .array([]),
        ]
        #expect(read(text) == .object(expected))
    }

    @Test(
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20ac""#, "Aé€"),
            (#""\ud83e\udd8a\uD83E\uDD8A""#, "🦊🦊"), (#""\u0000""#, "\0"), ("\"é🦊\u{7f}\u{2028}\"", "é🦊\u{7f}\u{2028}"),
            (#""\uffff\udbff\udfff""#, "\u{ffff}\u{10ffff}"), (#""""#, ""),
        ]
    )
    func `escapes are the characters they stand for`(text: String, expected: String) {
        #expect(read(text)?.stringValue.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "{1:1}", "tru", "nul", "True", "truex", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+",
            "0x10", "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"", "\"\\u+123\"", "\"\n\"", "\"\0\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
            "\"\\ud800\\ud800\"", "\"\\ud800x\"", "1 1", "{}{}", "[]x", "\u{feff}{}", "{}\0", "/**/1", "[1]//",
            "\u{a0}1", "\"\\u\u{ff11}\u{ff11}\u{ff11}\u{ff11}\"",
        ]
    )
    func `a text that breaks the grammar is refused`(text: String) {
        #expect(read(text) == nil)
    }

    @Test func `an object that names a member twice is refused, however it is spelt and wherever it is`() {
        #expect(read(#"{"a":1,"a":1}"#) == nil)
        #expect(read(#"{"a":1,"\u0061":2}"#) == nil)
        #expect(read(#"[{"x":{"a":1,"b":2,"a":3}}]"#) == nil)
        #expect(read("{\"e\u{301}\":1,\"é\":2}") == nil)
        #expect(read(#"{"a":{"a":1},"A":1}"#) != nil)
    }

    @Test(
        arguments: [
            [0xff], [0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc3, 0x22],
            [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], [0x7b, 0x00, 0x7d, 0x00], [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
            [0x00, 0x7b, 0x00, 0x7d], [0xef, 0xbb, 0xbf, 0x31],
        ] as [[UInt8]]
    )
    func `bytes that are no plain UTF-8 are refused`(bytes: [UInt8]) {
        #expect(JSON(parsing: bytes) == nil)
    }

    @Test func `nesting ends at 64 levels, however many values stand beside each other`() {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(read(nested(64)) != nil)
        #expect(read(nested(65)) == nil)
        #expect(read(String(repeating: "[", count: 500_000)) == nil)
        #expect(read(String(repeating: #"{"a":"#, count: 65) + "1" + String(repeating: "}", count: 65)) == nil)
        #expect(read("[" + String(repeating: "[],{},", count: 100) + "1]") != nil)
    }

    @Test func `a text ends at one mebibyte`() {
        let text = { (count: Int) in "\"" + String(repeating: "a", count: count - 2) + "\"" }
        #expect(read(text(1 << 20)) != nil)
        #expect(read(text(1 << 20 + 1)) == nil)
    }

    @Test func `members are found in objects only`() {
        #expect(read(#"{"a":{"b":1}}"#)?["a"]?["b"]?.numberValue == 1)
        #expect(read("[1]")?["0"] == nil)
        #expect(read("[true]")?.arrayValue?.first == .bool(true))
        #expect(read("\"a\"")?.objectValue == nil)
    }
}
