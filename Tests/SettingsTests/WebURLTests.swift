import Testing

@testable import Settings

struct WebURLTests {
    @Test(arguments: [
        ("https://Example.com", "https://example.com", ""),
        ("https://example.com:443/a/", "https://example.com", "/a/"),
        ("http://localhost:8080/", "http://localhost:8080", "/"), ("https://[::1]:8443/x", "https://[::1]:8443", "/x"),
    ])
    func `a URL is split into origin and path`(text: String, origin: String, path: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin)
        #expect(url.path == path)
    }

    @Test(arguments: [
        "", "example.com", "//example.com", "HTTPS://example.com", "https://", "https:///a", "https://a:b",
        "https://a:0",
        "https://a:65536", "https://a@b", "https://a?b", "https://a#b", "https://a\\b", "https://a b", "https://é",
        "https://[::1", "https://a%2f", "ftp://a", "https://a..b", "https://-a", "https://a/{x}", "https://a/é",
    ])
    func `P35: a URL that two parsers could read differently is rejected`(text: String) {
        #expect(WebURL(text) == nil)
    }

    @Test func `only this machine is loopback`() {
        let loopback = ["http://localhost", "http://127.0.0.1:1", "http://127.1.2.3", "http://[::1]"]
        let other = [
            "http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.1", "http://127.1",
            "http://127.evil.example.com", "http://127.0.0.256", "http://127.0.0.1.", "http://127.0.0.0x1",
        ]
        #expect(loopback.allSatisfy { WebURL($0)?.isLoopback == true })
        #expect(other.allSatisfy { WebURL($0)?.isLoopback != true })
    }

    @Test func `the mount's prefix has no final slash and the callback is below it`() throws {
        let mount = Mount(try #require(WebURL("https://example.com/account/")))
        #expect(mount.prefix == "/account")
        #expect(mount.redirectURI == "https://example.com/account/oauth")
        #expect(SitePath("/account/login", mount: mount) == .login)
        #expect(SitePath("/account", mount: mount) == .home)
        #expect(SitePath("/account/", mount: mount) == .home)
    }

    @Test(arguments: [
        "/Login", "/login/", "/login;x", "/login%2f", "//login", "/oauth2", "/login/..", "/accountlogin", "", "login",
    ])
    func `a route is reached only by its exact path`(path: String) throws {
        let mount = Mount(try #require(WebURL("https://example.com")))
        #expect(SitePath(path, mount: mount) == (path.isEmpty ? .home : nil))
    }
}
