import HTTP
import Testing

@Suite struct CookiesTests {
    @Test(
        arguments: [
            (["a=1; own-x=2; b=3"], "a=1; b=3"), (["own-x=2"], nil), ([], nil),
            (["a=1", " own=2;b ; own-=3"], "a=1; own=2; b"),
            (["a=\"1, 2\";;OWN-x=1"], "a=\"1, 2\"; OWN-x=1"),
            (["=own-=1; =a; = b=c"], "=own-=1; a; =b=c"),
        ] as [([String], String?)]
    )
    func `all cookies but those with a prefix go on in one line`(lines: [String], expected: String?) {
        #expect(Cookies(lines).line(withoutPrefix: "own-") == expected)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let name: String
        let found: Cookies.Lookup

        init(_ lines: String..., name: String = "a", found: Cookies.Lookup) {
            self.lines = lines
            self.name = name
            self.found = found
        }

        var testDescription: String { "\(name) in \(lines)" }
    }

    @Test(
        arguments: [
            Row(found: .none),
            Row("", found: .none),
            Row("   \t ", found: .none),
            Row(";;;", found: .none),
            Row("a", found: .none),
            Row("a=", found: .one("")),
            Row("a=1", found: .one("1")),
            Row("a=1;", found: .one("1")),
            Row("; a=1", found: .one("1")),
            Row("b=2;;a=1;;", found: .one("1")),
            Row("b=2;a=1", found: .one("1")),
            Row(" \ta \t=\t 1 2 \t; b=2", found: .one("1 2")),
            Row("a=b=c", found: .one("b=c")),
            Row("a==", found: .one("=")),
            Row("a=\"1\"", found: .one("\"1\"")),
            Row("a=\"1;b=2\"", found: .one("\"1")),
            Row("a=1,b=2", found: .one("1,b=2")),
            Row("aa=1; ba=2; A=3; a =4", found: .one("4")),
            Row("a=%31%00", found: .one("%31%00")),
            Row("a=\u{1}\u{7f}\u{ff}é", found: .one("\u{1}\u{7f}\u{ff}é")),
            Row("a=1", "b=2", name: "b", found: .one("2")),
            Row("b=2", "", "a=1", found: .one("1")),
            Row("a=1; b=2; a=1", found: .one("1")),
            Row("a=1", "a=1", found: .one("1")),
            Row("a=1; a=2", found: .conflicting),
            Row("a=1", "b=2", "a=2", found: .conflicting),
            Row("a=1; a=", found: .conflicting),
            Row("a=1; a=1; a=2", found: .conflicting),
            Row("a=\u{e9}; a=e\u{301}", found: .conflicting),
            Row("\u{212a}=1", name: "K", found: .none),
            Row("1; a=2", name: "", found: .one("1")),
            Row("=1", name: "", found: .one("1")),
        ]
    )
    func `a value is found under its exact name`(row: Row) {
        #expect(Cookies(row.lines)[row.name] == row.found)
    }

    @Test func `a cookie is found among as many as browsers keep`() {
        let line = (0..<180).map { "name\($0)=value\($0)" }.joined(separator: "; ")
        let cookies = Cookies([line])
        for index in 0..<180 { #expect(cookies["name\(index)"] == .one("value\(index)")) }
        #expect(cookies["name"] == .none)
        #expect(cookies["name180"] == .none)
    }

    @Test func `every character but the semicolon may stand in a value`() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ";") {
            let value = "<" + String(Unicode.Scalar(byte)) + ">"
            #expect(Cookies(["b=2; a=\(value); c=3"])["a"] == .one(value))
        }
    }

    @Test func `names with a prefix come once each, in the order sent`() {
        let cookies = Cookies(["x-b=1; x-a=2; y=3; x-b=4", "x-; x-c=5; X-d=6; x-a=7; x-=8; x"])
        #expect(cookies.names(withPrefix: "x-") == ["x-b", "x-a", "x-c", "x-"])
        #expect(cookies.names(withPrefix: "z").isEmpty)
        #expect(Cookies().names(withPrefix: "x-").isEmpty)
    }
}
