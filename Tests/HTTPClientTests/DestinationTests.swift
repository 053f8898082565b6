import HTTP
import Testing

@testable import HTTPClient

@Suite struct DestinationTests {
    @Test(
        arguments: [
            "", "localhost", "//localhost/", "/path", "https://", "https://exa mple.org/",
            "https://user@example.org/", "https://user:word@example.org/", "https://example.org:99999/",
            "https://example.org/\r\nHost: evil", "https://example.org/\0", "http://localhost\0.example.org/",
            "ftp://localhost/", "file:///etc/passwd", "gopher://localhost/", "javascript:alert(1)", "dict://localhost/",
            "http://example.org/", "http://localhost.example.org/", "http://127.0.0.1.example.org/",
            "http://127.0.0.1@example.org/", "http://localhost@example.org/", "http://example.org#@localhost/",
            "http://example.org\\@localhost/", "http://0.0.0.0/", "http://10.0.0.1/", "http://128.0.0.1/",
            "http://[::]/", "http://[::2]/", "http://[::ffff:10.0.0.1]/", "http://sub.localhost/",
            "http://169.254.169.254/latest/", "http://2130706434.example.org/", "http://0x0a.1/",
        ]
    )
    func `an invalid URL, and plain http to another machine, is refused`(url: String) async throws {
        let client = try CurlTransport()
        #expect(await client.errorCode(of: ClientRequest(.get, url)) == .refusedURL)
        await client.shutdown()
    }

    /// No process listens at port 1, so an allowed call fails there.
    @Test(
        arguments: [
            "https://localhost:1/", "HTTPS://LocalHost:1/?a=b#c", "https://127.0.0.1:1", "http://localhost:1/",
            "HTTP://LOCALHOST:1/", "http://127.0.0.1:1/", "http://127.255.255.254:1/", "http://[::1]:1/",
            "http://2130706433:1/", "http://0x7f.1:1/",
        ]
    )
    func `https, and plain http to this machine, is allowed`(url: String) async throws {
        let client = try CurlTransport()
        #expect(await client.errorCode(of: ClientRequest(.get, url)) == .unreachable)
        await client.shutdown()
    }

    @Test(
        arguments: [
            ("https://Example.org:443/a", "Example.org"), ("https://example.org./", "example.org"),
            ("https://127.1/", "127.0.0.1"), ("https://[2001:db8::1]:8443/", "2001:db8::1"),
            ("https://[fe80::1%25eth0]/", "fe80::1"),
        ]
    )
    func `a host has the spelling that certificates use`(url: String, host: String) throws {
        #expect(try Destination(url).host == host)
    }
}
