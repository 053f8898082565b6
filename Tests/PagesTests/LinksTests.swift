import Pages
import Settings
import Testing

struct LinksTests {
    @Test(arguments: [
        ("https://www.linkedin.com/in/ada", "https://www.linkedin.com/in/ada"),
        ("HTTPS://WWW.LinkedIn.com/in/Ada?x=%20#y", "https://www.linkedin.com/in/Ada?x=%20#y"),
        ("https://example.com", "https://example.com"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("https://www.linkedin.com/in/josé", "https://www.linkedin.com/in/jos%C3%A9"),
        ("http://127.0.0.1:8080/in/ada", "http://127.0.0.1:8080/in/ada"),
        ("http://localhost/", "http://localhost/"),
        ("http://[::1]:80/", "http://[::1]:80/"), ("http://127.1.2.3/x", "http://127.1.2.3/x"),
    ])
    func `a link is an https URL, or http to this machine`(text: String, normalised: String) {
        #expect(ExternalLink(text)?.text == normalised)
    }

    @Test(arguments: [
        "", "www.linkedin.com/in/ada", "//www.linkedin.com/in/ada", "/in/ada", "http://www.linkedin.com/in/ada",
        "javascript:alert(1)", "javascript://example.com/%0aalert(1)", "data:text/html,x", "ftp://example.com/",
        "https:/example.com/", "https:example.com", "https://", "https:///path", "https://user@example.com/",
        "https://user:secret@example.com/", "https://example.com\\@evil.example/", "https://example.com/a b",
        " https://example.com/", "https://example.com/\n", "https://example.com/\"x", "https://example.com/<x>",
        "https://example.com/{x}", "https://example.com/\\x", "https://exa%6Dple.com/", "https://éxample.com/",
        "https://example..com/", "https://-example.com/", "https://example.com:/", "https://example.com:x/",
        "https://example.com:65536/", "https://[::2]/", "https://[::1/", "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/", "http://127.1/", "https://example.com:0/", "https://\u{600}example.com/",
        "https://example.com/" + String(repeating: "a", count: 2_048),
    ])
    func `any other text is not a link`(text: String) {
        #expect(ExternalLink(text) == nil)
    }

    @Test(arguments: [
        ("https://media.licdn.com/dms/image/v2/x?e=1&v=beta&t=a_b-c", true), ("https://media-exp1.licdn.com/x", true),
        ("https://licdn.com/x", false), ("https://evillicdn.com/x", false), ("https://licdn.com.evil.example/x", false),
        ("https://media.licdn.com.evil.example/x", false), ("https://media.licdn.com@evil.example/x", false),
        ("https://evil.example/media.licdn.com", false), ("https://evil.example#.licdn.com", false),
        ("https://evil.example\\.licdn.com", false), ("http://media.licdn.com/x", false),
        ("https://media.licdn.com:8443/x", false), ("data:image/png;base64,AAAA", false),
        ("http://127.0.0.1:9000/ada.png", false), ("https://avatars.example.com/x", false),
    ])
    func `pictures load only from LinkedIn's hosts`(text: String, isAllowed: Bool) {
        #expect((PictureURL(text, from: .linkedIn) != nil) == isAllowed)
    }

    @Test func `additional picture origins are matched exactly`() throws {
        let sources = try PictureSources(alsoFrom: ["http://127.0.0.1:9000", "https://avatars.example.com"])
        #expect(PictureURL("http://127.0.0.1:9000/ada.png", from: sources)?.text == "http://127.0.0.1:9000/ada.png")
        #expect(PictureURL("https://avatars.example.com/x", from: sources) != nil)
        #expect(PictureURL("https://media.licdn.com/x", from: sources) != nil)
        #expect(PictureURL("http://127.0.0.1:9001/ada.png", from: sources) == nil)
        #expect(PictureURL("https://a.avatars.example.com/x", from: sources) == nil)
    }

    @Test(arguments: [
        "*", "https://*.example.com", "avatars.example.com", "http://example.com", "https://a.example/p", "",
    ])
    func `a picture source that is not an origin is rejected`(text: String) {
        #expect(throws: InvalidPictureSource.self) { try PictureSources(alsoFrom: [text]) }
    }
}
