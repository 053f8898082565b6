import Testing

@testable import FastCGI

struct CGIPathTests {
    @Test(arguments: [
        ("/", "/"), ("/a/b", "/a/b"), ("/a%20b", "/a b"), ("/a?b#c", "/a"), ("/a#b?c", "/a"), ("//a///b/", "/a/b/"),
        ("/a%2Fb", "/a/b"), ("/%c3%A9", "/é"), ("/a;x=1", "/a;x=1"), ("/...", "/..."), ("/a%2f%2fb", "/a/b"),
        ("/%25zz", "/%zz"),
    ])
    func `a path is derived from a URI`(uri: String, path: String) {
        #expect(CGIPath.derived(fromURI: uri) == path)
    }

    @Test(arguments: [
        "", "a", "*", "http://example.org/a", "?a", "/%", "/%4", "/%zz", "/%00", "/%0a", "/a%7f", "/%ff", "/%c0%af",
        "/.", "/..", "/a/../b", "/a/./b", "/a/%2e%2e/b", "/a/.%2E", "/%2e/",
    ])
    func `a URI whose path is not certain gives none`(uri: String) {
        #expect(CGIPath.derived(fromURI: uri) == nil)
    }
}
