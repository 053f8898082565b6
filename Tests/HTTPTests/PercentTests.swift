import HTTP
import Testing

@Suite struct PercentTests {
    @Test func `percent encoding keeps only unreserved characters`() {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        #expect(Percent.encode(unreserved) == unreserved)
        for byte in UInt8.min..<0x80 where !unreserved.utf8.contains(byte) {
            let digits = String(byte, radix: 16, uppercase: true)
            #expect(Percent.encode(String(Unicode.Scalar(byte))) == (byte < 16 ? "%0" : "%") + digits)
        }
    }

    @Test func `percent encoding escapes text as UTF-8`() {
        #expect(Percent.encode("") == "")
        #expect(Percent.encode("é👋") == "%C3%A9%F0%9F%91%8B")
        #expect(Percent.encode("https://example.org/a?b=c&d") == "https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%26d")
    }
}
