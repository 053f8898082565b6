import HTTP
import Testing

@Suite struct HeadersTests {
    @Test(
        arguments: [
            "\r", "\n", "\r\n", "\0", "\u{1}", "\u{8}", "\u{b}", "\u{1f}", "\u{7f}", "a\r\nSet-Cookie: b=c", "a\n",
            "\na",
        ]
    )
    func `a value that would break out of its line is refused`(value: String) throws {
        var headers = Headers()
        try headers.append(.location, "/old")
        let appending = try #require(throws: InvalidHeaderValue.self) { try headers.append(.vary, value) }
        #expect(appending.name == .vary)
        let setting = try #require(throws: InvalidHeaderValue.self) { try headers.set(.location, value) }
        #expect(setting.name == .location)
        #expect(headers.fields.map(\.value) == ["/old"])
    }

    /// The low bytes of U+010A and U+010D look like line ends to who cuts scalars short; in UTF-8 they are none.
    @Test(arguments: ["", "a\tb", " a ", "é", "\u{10a}", "\u{10d}", "\u{2028}", "\u{2029}", "\u{85}", "👋"])
    func `any other value is kept as it is`(value: String) throws {
        var headers = Headers()
        try headers.append(.location, value)
        #expect(headers[.location] == value)
    }

    @Test func `a value of any length is kept`() throws {
        var headers = Headers()
        let value = String(repeating: "a", count: 1 << 20)
        try headers.append(.location, value)
        #expect(headers[.location]?.utf8.count == value.utf8.count)
    }

    @Test func `fields keep their order, and names their spelling`() throws {
        var headers = Headers()
        try headers.append(.setCookie, "a=1")
        try headers.append(.location, "/")
        try headers.append(try #require(HeaderName("set-COOKIE")), "b=2")
        #expect(headers[.setCookie] == "a=1")
        #expect(headers.values(.setCookie) == ["a=1", "b=2"])
        #expect(headers.fields.map(\.name.description) == ["Set-Cookie", "Location", "set-COOKIE"])
        #expect(headers[.vary] == nil)
        #expect(headers.values(.vary).isEmpty)
    }

    @Test func `setting a field replaces all of its name`() throws {
        var headers = Headers()
        for value in ["a", "b"] { try headers.append(.vary, value) }
        try headers.append(.allow, "GET")
        try headers.set(.vary, "c")
        #expect(headers.fields.map(\.value) == ["GET", "c"])
        headers.remove(.allow)
        #expect(headers.fields.map(\.value) == ["c"])
    }
}
