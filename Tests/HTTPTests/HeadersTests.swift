import HTTP
import TestSupport
import Testing

/// Names of header fields (RFC 9110 §5.1).
struct HeaderNameTests {
    private static let token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    @Test(arguments: ["Location", "x", "X-1", token]) func `a token is a header name`(text: String) throws {
        #expect(try #require(HeaderName(text)).description == text)
    }

    @Test func `a text that is not a token is not a header name`() {
        for byte in UInt8.min...UInt8.max {
            let scalar = String(Unicode.Scalar(byte))
            #expect((HeaderName("a\(scalar)b") != nil) == Self.token.contains(scalar))
        }
        for text in ["", " ", "Location:", "Location ", "a b", "a\r", "a\nb", "\u{10a}", "K\u{212a}", "é", "a\u{0}"] {
            #expect(HeaderName(text) == nil)
        }
    }

    @Test func `header names are compared case-insensitively`() throws {
        let shouted = try #require(HeaderName("LOCATION"))
        #expect(shouted == .location)
        #expect(Set([shouted, .location]).count == 1)
        #expect(shouted != .allow)
        #expect(shouted.description == "LOCATION")
    }

    /// The names are taken from the source, so that none can be missing here.
    @Test func `every header name in the source is a token`() throws {
        let source = try SourceFile.text("Sources/HTTP/Headers.swift")
        let names = source.matches(of: /HeaderName\(unchecked: "([^"]*)"\)/).map { String($0.output.1) }
        #expect(names.contains(HeaderName.accept.description))
        #expect(names.contains(HeaderName.xRequestedWith.description))
        for name in names { #expect(HeaderName(name) != nil, "\(name)") }
        #expect(Set(names).count == names.count)
    }
}

/// Lists of header fields (RFC 9110 §5.5).
struct HeadersTests {
    @Test func `a value with a control character is refused and changes nothing`() throws {
        for code in Array(UInt8(0)..<0x20) + [0x7f] where code != 0x09 {
            let control = String(UnicodeScalar(code))
            for value in [control, "a\(control)", "\(control)a", "a\(control)Set-Cookie: b=c", "a\r\(control)b"] {
                var headers = Headers()
                try headers.append(.location, "/old")
                let appending = try #require(throws: InvalidHeaderValue.self) { try headers.append(.vary, value) }
                #expect(appending.name == .vary)
                let setting = try #require(throws: InvalidHeaderValue.self) { try headers.set(.location, value) }
                #expect(setting.name == .location)
                #expect(headers.fields.map(\.value) == ["/old"])
            }
        }
    }

    /// The low bytes of U+010A and U+010D are those of line ends, for a program that truncates scalars.
    @Test(arguments: ["", "a", "a\tb", " a ", "é", "\u{10a}", "\u{10d}", "\u{2028}", "\u{2029}", "\u{85}", "张", "👋"])
    func `a character that only resembles a line break does not end a field`(value: String) throws {
        var headers = Headers()
        try headers.append(.location, value)
        #expect(headers[.location] == value)
        #expect(headers.fields.map(\.value) == [value])
        #expect(!value.utf8.contains(0x0a) && !value.utf8.contains(0x0d))
    }

    @Test func `a header value of any length is kept`() throws {
        var headers = Headers()
        let value = String(repeating: "a", count: 1 << 20)
        try headers.append(.location, value)
        #expect(headers[.location]?.utf8.count == value.utf8.count)
    }

    @Test func `header fields keep their order, and names their spelling`() throws {
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

    @Test func `setting a header field replaces all of its name`() throws {
        var headers = Headers()
        for value in ["a", "b"] { try headers.append(.vary, value) }
        try headers.append(.allow, "GET")
        try headers.set(.vary, "c")
        #expect(headers.fields.map(\.value) == ["GET", "c"])
        headers.remove(.allow)
        #expect(headers.fields.map(\.value) == ["c"])
    }
}
