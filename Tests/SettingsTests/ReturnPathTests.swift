import Testing

@testable import Settings

struct ReturnPathTests {
    @Test(arguments: [
        "/", "/a", "/p/a%20b?x=1&y=2&z=%2F", "/a//b", "/a/../", "/a/../b//c", "/a//../b", "/.", "/a/..",
        "/a?u=//x&v=https://y", "/%E4%BD%A0?q=~-._!$'()*+,;=:@",
        "/a%2Fb", "/?", "/a;b=c", "/a%+1", "/%252541", "/a|b^c?{d}`e\\f",
    ])
    func `a local return path is kept byte for byte`(path: String) throws {
        #expect(try #require(ReturnPath(path)).text == path)
    }

    @Test(arguments: [
        "", "a", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "javascript:alert(1)",
        " /a", "/\t/evil.example", "/\n/evil.example", "/a b", "/a\u{7f}", "/a#b", "/你", "/%2Fevil.example",
        "/%5Cevil.example", "/%252Fevil.example", "/%09/evil.example", "/%0d%0aX: y", "/a%00", "/a\\b", "/a%5Cb",
        "/.//evil.example", "/x/..//evil.example", "/..//evil.example", "/%2e//evil.example",
        "/x/y/%2E%2e/..//evil.example",
        "/x/..%2f/evil.example", "/.%252f/evil.example", "/x//../..//evil.example", "/.//?a",
        "/%2f%2fevil.example", "/%2525252Fevil.example", "/%25252525252Fevil.example", "/a\"b", "/a<b>", "/a{b}", "?a",
        "#a", "./a", "../a", "@evil.example",
    ])
    func `a return path that could lead to another site is rejected`(path: String) {
        #expect(ReturnPath(path) == nil)
    }

    @Test(arguments: ["", "/account"], ["/login", "/oauth", "/logout"])
    func `a return path to /login, /oauth or /logout is rejected in every spelling`(
        prefix: String,
        route: String
    ) throws {
        let mount = Mount(origin: "https://example.com", path: prefix)
        let spelled = "/%" + String(route.utf8.dropFirst().first ?? 0, radix: 16) + route.dropFirst(2)
        let spellings = [
            "\(route)", "\(route)?", "\(route)?return_to=/a", "/.\(route)", "/.\(route)?x", spelled,
            "/a/..\(route)", "/a/%2e%2E\(route)", "/a%2F..\(route)", "/a//..\(route)",
            "/.\(spelled)?%",
        ]
        for spelling in spellings {
            #expect(try #require(ReturnPath(prefix + spelling)).isDestination(mount: mount) == false, "\(spelling)")
        }
        let others = [
            "\(route)/", "\(route)/.", "\(route)s", "/a\(route)", route.uppercased(), "\(route)%3F", "\(route).",
        ]
        for other in others {
            #expect(try #require(ReturnPath(prefix + other)).isDestination(mount: mount), "\(other)")
        }
        #expect(try #require(ReturnPath("/other" + route)).isDestination(mount: mount))
    }

    @Test func `a return path that is too long for the sign-in cookie is rejected`() {
        let longest = "/" + String(repeating: "a", count: ReturnPath.maximumLength - 1)
        #expect(ReturnPath(longest) != nil)
        #expect(ReturnPath(longest + "a") == nil)
    }
}
