import HTTP
import Testing

@Suite struct FormDataTests {
    @Test func `form pairs are parsed in order, with duplicates and without empty pieces`() throws {
        let form = try #require(FormData(parsing: "&a=1&&b=%32+3&a=&=4&c&d=e=f&%61%3D=5&"))
        #expect(form.pairs.map(\.name) == ["a", "b", "a", "", "c", "d", "a="])
        #expect(form.pairs.map(\.value) == ["1", "2 3", "", "4", "", "e=f", "5"])
        #expect(try #require(FormData(parsing: "")).pairs.isEmpty)
    }

    @Test func `a repeated parameter is distinguished from a single one`() throws {
        let form = try #require(FormData(parsing: "code=1&state=2&state=2&Code=3&K=4&%E2%84%AA=5"))
        #expect(form["code"] == .one("1"))
        #expect(form["state"] == .repeated)
        #expect(form["error"] == .none)
        #expect(form["K"] == .one("4"))
        #expect(form["\u{212a}"] == .one("5"))
    }

    @Test(
        arguments: [
            "a=%", "a=%2", "a=%2&b=3", "a=%zz", "a=%2g", "a=%g2", "a=%%32", "%=1", "a=% 1", "a=%+1",
            // Not UTF-8: a stray continuation, a truncated sequence, overlong forms, a surrogate, past the last scalar.
            "a=%80", "a=%C3", "a=%C3a", "a=%C0%AF", "a=%E0%80%AF", "a=%F0%80%80%AF", "a=%ED%A0%80", "a=%F4%90%80%80",
            "a=%FE", "a=%FF", "%FF=1", "a=%C3&%A9=1",
            // Control characters, escaped or bare.
            "a=%00", "a=%01", "a=%09", "a=%0A", "a=%0d%0a", "a=%1F", "a=%7F", "a=\n", "a=\r", "a=\t", "%00=1",
            "a\u{7f}=1",
        ]
    )
    func `an invalid form is rejected as a whole`(text: String) {
        #expect(FormData(parsing: text) == nil)
        #expect(FormData(parsing: "good=1&\(text)&good=2") == nil)
    }

    @Test func `UTF-8 is accepted escaped in either case, and unescaped`() throws {
        for text in ["%C3%A9", "%c3%a9", "é", "%C3%a9"] {
            #expect(FormData(parsing: "a=\(text)")?["a"] == .one("é"))
        }
        #expect(FormData(parsing: "a=%F0%9F%91%8B%E2%80%A8%C2%85")?["a"] == .one("👋\u{2028}\u{85}"))
    }

    @Test func `every character except controls survives encoding and parsing`() throws {
        for byte in UInt8.min...UInt8.max where byte >= 0x20 && byte != 0x7f {
            let text = String(Unicode.Scalar(byte))
            let form = FormData([text: "\(text)\(text)", "other": text])
            #expect(try #require(FormData(parsing: form.encoded)) == form)
        }
    }

    @Test func `a form value cannot become a second parameter`() {
        let form = FormData(["a": "1&b=2", "c d": "é=+%~-._"])
        #expect(form.encoded == "a=1%26b%3D2&c%20d=%C3%A9%3D%2B%25~-._")
        #expect(FormData().encoded.isEmpty)
    }

    @Test func `forms are equal if their pairs are equal and in the same order`() {
        #expect(FormData(["a": "1", "b": "2"]) == FormData(["a": "1", "b": "2"]))
        #expect(FormData(["a": "1", "b": "2"]) != FormData(["b": "2", "a": "1"]))
        #expect(FormData(["a": "1"]) != FormData(["a": "1", "a": "1"]))
    }
}
