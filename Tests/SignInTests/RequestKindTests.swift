import HTTP
import Testing

@testable import SignIn

struct RequestKindTests {
    private func kind(_ fields: [HeaderName: String]) throws -> RequestKind {
        var headers = Headers()
        for (name, value) in fields { try headers.append(name, value) }
        return RequestKind(Request(headers: headers))
    }

    @Test func `a tab that opens an address is a navigation`() throws {
        #expect(try kind([.secFetchMode: "navigate", .secFetchDest: "document"]) == .navigation)
        #expect(try kind([.secFetchMode: "navigate"]) == .navigation)
        // A service worker passed the request on.
        #expect(try kind([.secFetchMode: "navigate", .secFetchDest: "empty"]) == .navigation)
        #expect(try kind([.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]) == .navigation)
    }

    @Test(arguments: ["iframe", "frame", "embed", "object"])
    func `a navigation inside a frame is a resource`(destination: String) throws {
        let fields: [HeaderName: String] = [
            .secFetchMode: "navigate", .secFetchDest: destination, .accept: "text/html",
        ]
        #expect(try kind(fields) == .resource)
    }

    @Test func `a prefetch starts no sign-in`() throws {
        for name in [HeaderName.secPurpose, .purpose] {
            let value = name == .purpose ? "prefetch" : "prefetch;prerender"
            #expect(try kind([.secFetchMode: "navigate", .secFetchDest: "document", name: value]) == .resource)
        }
    }

    @Test func `a script is recognized by Fetch Metadata or by Accept`() throws {
        #expect(try kind([.secFetchMode: "cors", .secFetchDest: "empty", .accept: "text/html"]) == .script)
        #expect(try kind([.accept: "application/json"]) == .script)
        #expect(try kind([.accept: "text/html", .xRequestedWith: "XMLHttpRequest"]) == .script)
        #expect(try kind([.accept: "*/*"]) == .script)
        #expect(try kind([:]) == .script)
    }

    @Test(arguments: ["image", "script", "style", "font", "video", "track", "manifest", "serviceworker"])
    func `a part of a page is a resource`(destination: String) throws {
        #expect(try kind([.secFetchMode: "no-cors", .secFetchDest: destination, .accept: "*/*"]) == .resource)
        #expect(try kind([.accept: "image/avif,image/webp"]) == .resource)
    }
}
