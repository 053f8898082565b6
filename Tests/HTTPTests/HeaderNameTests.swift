import HTTP
import Testing

@Suite struct HeaderNameTests {
    @Test(arguments: ["Location", "x", "X-1", "!#$%&'*+-.^_`|~0aZ"]) func `a token is a name`(text: String) throws {
        #expect(try #require(HeaderName(text)).description == text)
    }

    @Test func `no other byte may stand in a name`() {
        let token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for byte in UInt8.min...UInt8.max {
            let scalar = String(Unicode.Scalar(byte))
            #expect((HeaderName("a\(scalar)b") != nil) == token.contains(scalar))
        }
        for text in ["", " ", "Location:", "Location ", "a b", "\u{10a}", "K\u{212a}", "é"] {
            #expect(HeaderName(text) == nil)
        }
    }

    @Test func `case does not tell names apart`() throws {
        let shouted = try #require(HeaderName("LOCATION"))
        #expect(shouted == .location)
        #expect(Set([shouted, .location]).count == 1)
        #expect(shouted != .allow)
        #expect(shouted.description == "LOCATION")
    }

    /// Names in the source are taken unchecked, so that each is checked here.
    @Test(
        arguments: [
            HeaderName.accept, .acceptLanguage, .allow, .authorization, .cacheControl, .contentEncoding,
            .contentLanguage, .contentLength, .contentSecurityPolicy, .contentType, .crossOriginResourcePolicy,
            .location, .origin, .referrerPolicy, .retryAfter, .secFetchDest, .secFetchMode, .secFetchSite, .setCookie,
            .transferEncoding, .userAgent, .vary, .xContentTypeOptions, .xFrameOptions,
            .xRequestedWith,
        ]
    )
    func `a name in the source is a token`(name: HeaderName) {
        #expect(HeaderName(name.description) == name)
    }
}
