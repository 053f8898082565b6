import HTTP
import Testing

struct HeaderValueTests {
    @Test func `no control character gets into a field, and what was there stays`() throws {
        for code in Array(UInt8(0)..<0x20) + [0x7f] where code != 0x09 {
            var headers = Headers()
            try headers.append(.location, "/before")
            let value = "/a" + String(UnicodeScalar(code)) + "Set-Cookie: a=b"
            #expect(throws: InvalidHeaderValue.self) { try headers.append(.location, value) }
            #expect(throws: InvalidHeaderValue.self) { try headers.set(.location, value) }
            #expect(headers.values(.location) == ["/before"])
        }
    }

    @Test(arguments: ["", "a", "a\tb", "\u{10a}", "\u{2028}", "张"])
    func `a character that only resembles a line break does not end a field`(value: String) throws {
        var headers = Headers()
        try headers.append(.location, value)
        #expect(headers.fields.map(\.value) == [value])
        #expect(!value.utf8.contains(0x0a) && !value.utf8.contains(0x0d))
    }

    @Test(arguments: ["", "a b", "a:b", "a\r", "a\nb", "é", "a\u{0}"])
    func `a text that is no token is no name of a field`(name: String) {
        #expect(HeaderName(name) == nil)
    }
}
