import HTTP
import Testing

/// Cookies that a browser sends (RFC 6265bis §5.8.3).
struct CookiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let name: String
        let found: Cookies.Lookup

        init(_ lines: String..., name: String = "a", found: Cookies.Lookup) {
            self.lines = lines
            self.name = name
            self.found = found
        }

        var testDescription: String { "\(name) in \(lines.map { $0.prefix(80) })" }
    }

    @Test(
        arguments: [
            Row(found: .none),
            Row("", found: .none),
            Row(" \t ", found: .none),
            Row(";;;; ;", found: .none),
            Row("=", found: .none),
            Row("===", found: .none),
            Row("a", found: .none),
            Row("a;a=1", found: .one("1")),
            Row("a=", found: .one("")),
            Row("a=1", found: .one("1")),
            Row("a=1;", found: .one("1")),
            Row("; a=1", found: .one("1")),
            Row("b=2;;a=1;;", found: .one("1")),
            Row("b=2;a=1", found: .one("1")),
            Row(" a = 1 ", found: .one("1")),
            Row(" \ta \t=\t 1 2 \t; b=2", found: .one("1 2")),
            Row("a=b=c", found: .one("b=c")),
            Row("a==", found: .one("=")),
            Row("a=\"1\"", found: .one("\"1\"")),
            Row("a=\"1;b=2\"", found: .one("\"1")),
            Row("a=1,b=2", found: .one("1,b=2")),
            Row("a=1,a=2", found: .one("1,a=2")),
            Row("$Version=1; a=1; $Path=/", found: .one("1")),
            Row("A=1", found: .none),
            Row("aa=1; ba=2; A=3; a =4", found: .one("4")),
            Row("a=%31%00", found: .one("%31%00")),
            Row("a\u{1}=1", found: .none),
            Row("a=\u{1}\u{7f}\u{ff}é\u{fffd}", found: .one("\u{1}\u{7f}\u{ff}é\u{fffd}")),
            Row("a=1", "b=2", name: "b", found: .one("2")),
            Row("b=2", "", "a=1", found: .one("1")),
            Row("a=1; b=2; a=1", found: .one("1")),
            Row("a=1", "a=1", found: .one("1")),
            Row("a=1; a=2", found: .conflicting),
            Row("a=1", "b=2", "a=2", found: .conflicting),
            Row("a=1; a=", found: .conflicting),
            Row("a=1; a=1; a=2", found: .conflicting),
            Row("a=\u{e9}; a=\u{e9}", found: .one("\u{e9}")),
            Row("a=\u{e9}; a=e\u{301}", found: .conflicting),
            Row("\u{212a}=1", name: "K", found: .none),
            Row("1; a=2", name: "", found: .one("1")),
            Row("=1", name: "", found: .one("1")),
            Row(String(repeating: ";", count: 100_000) + "a=1", found: .one("1")),
        ]
    )
    func `P35: a cookie is found by its exact name, whatever the other text of the line`(row: Row) {
        #expect(Cookies(row.lines)[row.name] == row.found)
    }

    @Test func `a cookie is found among as many as browsers store`() {
        let line = (0..<180).map { "name\($0)=value\($0)" }.joined(separator: "; ")
        let cookies = Cookies([line])
        for index in 0..<180 { #expect(cookies["name\(index)"] == .one("value\(index)")) }
        #expect(cookies["name"] == .none)
        #expect(cookies["name180"] == .none)
    }

    @Test func `a cookie value can contain every character except the semicolon`() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ";") {
            let value = "<" + String(Unicode.Scalar(byte)) + ">"
            #expect(Cookies(["b=2; a=\(value); c=3"])["a"] == .one(value))
        }
    }

    @Test func `cookie names with a prefix are listed once, in their order`() {
        let cookies = Cookies(["x-b=1; x-a=2; y=3; x-b=4", "x-; x-c=5; X-d=6; x-a=7; x-=8; x; =x-e"])
        #expect(cookies.names(withPrefix: "x-") == ["x-b", "x-a", "x-c", "x-"])
        #expect(cookies.names(withPrefix: "z").isEmpty)
        #expect(Cookies().names(withPrefix: "x-").isEmpty)
    }

    @Test func `only cookies that the request has are deleted, also those with several values`() {
        let cookies = Cookies(["__Host-a=1; c=2; __Host-d=3", "__Host-d=4"])
        #expect(cookies.deletions("a", "b", "c", "d") == [.deleting("a"), .deleting("d")])
    }

    @Test(
        arguments: [
            (["a=1; own-x=2; b=3"], "a=1; b=3"), (["own-x=2"], nil), ([], nil),
            (["a=1", " own=2;b ; own-=3"], "a=1; own=2; b"),
            (["a=\"1, 2\";;OWN-x=1"], "a=\"1, 2\"; OWN-x=1"),
            (["=own-=1; =a; = b=c"], "=own-=1; a; =b=c"),
        ] as [([String], String?)]
    )
    func `all cookies except those with a prefix are joined in one line`(lines: [String], expected: String?) {
        #expect(Cookies(lines).line(withoutPrefix: "own-") == expected)
    }
}

/// Cookies that this program sets (RFC 6265bis §4.1).
struct SetCookieTests {
    @Test func `a cookie that is set has every protecting attribute, also when it is deleted`() {
        #expect(
            SetCookie("session", value: "AbC-_09").headerValue
                == "__Host-session=AbC-_09; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
        #expect(
            SetCookie("signin-1", value: "x", maxAge: 600).headerValue
                == "__Host-signin-1=x; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
        #expect(
            SetCookie.deleting("session").headerValue
                == "__Host-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
    }

    @Test func `a cookie value cannot become an attribute, and a name cannot become a value`() throws {
        let cookie = SetCookie("a=b; c", value: "1; Domain=evil, \"\\é\r\n")
        #expect(cookie.name == "__Host-a%3Db%3B%20c")
        #expect(cookie.value == "1%3B%20Domain=evil%2C%20%22%5C%C3%A9%0D%0A")
        var headers = Headers()
        try headers.append(.setCookie, cookie.headerValue)
    }

    @Test func `only characters that are not cookie octets are escaped`() {
        let octets = "!#$%&'()*+-./0123456789:<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
        #expect(SetCookie("a", value: octets).value == octets)
        for byte in UInt8.min..<0x80 where !octets.utf8.contains(byte) {
            #expect(SetCookie("a", value: String(Unicode.Scalar(byte))).value.utf8.count == 3)
        }
    }

    @Test func `a cookie that was set is found when the browser returns it`() {
        let cookie = SetCookie("session", value: "a b;c", maxAge: 1)
        let sent = String(cookie.headerValue.prefix { $0 != ";" })
        #expect(Cookies(["other=1; \(sent)"])["__Host-session"] == .one(cookie.value))
    }
}
