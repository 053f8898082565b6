import HTTP
import Testing

@testable import SignIn

struct RepresentationTests {
    private func request(accept: String?, mode: String? = nil) throws -> Request {
        var headers = Headers()
        if let accept { try headers.append(.accept, accept) }
        if let mode { try headers.append(.secFetchMode, mode) }
        return Request(headers: headers)
    }

    @Test(arguments: [
        ("application/json", true), ("application/json, text/html;q=0.5", true), ("APPLICATION/JSON ; q=0.1", true),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false), ("*/*", false), ("", false),
        ("application/json;q=0", false), ("application/json;q=0.5,text/html", false), (";;,,=q", false),
    ])
    func `a client that prefers JSON to HTML gets JSON`(accept: String, expected: Bool) throws {
        #expect(try request(accept: accept).prefersJSON == expected)
    }

    @Test func `a navigation is recognized by Fetch Metadata or, without it, by HTML in Accept`() throws {
        #expect(try RequestKind(request(accept: "*/*", mode: "navigate")) == .navigation)
        #expect(try RequestKind(request(accept: "text/html", mode: "cors")) != .navigation)
        #expect(try RequestKind(request(accept: "text/html")) == .navigation)
        #expect(try RequestKind(request(accept: "*/*")) != .navigation)
        #expect(try RequestKind(request(accept: nil)) != .navigation)
    }
}
