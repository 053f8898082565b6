import Testing

@testable import Guard

struct GuardedPathTests {
    @Test(arguments: [
        ("/a/b", "/a/"), ("/a/", "/a/"), ("/a/b?c=/../d", "/a/"), ("/a", "/a"), ("/a/b", "/a"), ("/a?x", "/a"),
        ("/%61/b", "/a/"), ("/a/%20b/%C3%AB", "/a/"), ("/", "/"), ("/anything", "/"), ("/a/b..c/.d/e.", "/a/"),
    ])
    func `a path is at a location`(uri: String, location: String) {
        #expect(GuardedPath(uri)?.isAt(location) == true)
    }

    @Test(arguments: [
        ("/ab", "/a"), ("/a", "/a/"), ("/b/a/", "/a/"), ("/A/", "/a/"), ("/", "/a"), ("/?/a/", "/a/"),
        ("/%2541/", "/a/"),
    ])
    func `a path is not at another location`(uri: String, location: String) {
        #expect(GuardedPath(uri)?.isAt(location) != true)
    }

    @Test(arguments: [
        "", "a", "?", "*", "http://a/b", "/a/../b", "/a/%2e%2E/b", "/a/.", "/./a", "/a//b", "//a", "/a/b//", "/a%2fb",
        "/a/..%2Fb", "/a\\b", "/a%5cb", "/a%00", "/a\u{1}", "/a%7f", "/a%0a", "/a%2561", "/a%", "/a#b", "/a/..;/b",
        "/a/.;x=1/b", "/%2e/a", "/a/%2e", "/a/%252e%252e/b", "/a/%2",
    ])
    func `an unusual spelling is not a path`(uri: String) {
        #expect(GuardedPath(uri) == nil)
    }
}
