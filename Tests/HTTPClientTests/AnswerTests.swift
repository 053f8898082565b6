import Foundation
import HTTP
import HTTPClient
import Testing

@Suite struct AnswerTests {
    @Test func `a request arrives as given, without additional header fields`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        var request = try ClientRequest(.post, server.url("echo"), body: Array("a=b\0c".utf8))
        try request.headers.append(.contentType, "application/x-www-form-urlencoded")
        try request.headers.append(.authorization, "Bearer token")
        try request.headers.append(.accept, "application/json")
        try request.headers.append(.origin, "")
        let seen = try await client.echo(request)
        #expect(seen.method == "POST")
        #expect(seen.body == "a=b\0c")
        let names = seen.headers.map { $0[0] }.sorted()
        #expect(
            names == ["Accept", "Authorization", "Content-Length", "Content-Type", "Host", "Origin", "User-Agent"]
        )
        #expect(seen.values("Accept") == ["application/json"])
        #expect(seen.values("Origin") == [""])
        #expect(seen.values("User-Agent") == ["linkedin-signin"])
        await client.shutdown()
    }

    @Test func `one request does not affect the next`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        var request = try ClientRequest(.post, server.url("echo"), body: Array("secret".utf8))
        try request.headers.append(.authorization, "Bearer token")
        try request.headers.append(.userAgent, "other")
        _ = try await client.echo(request)
        request.method = Method(rawValue: "PUT")
        _ = try await client.echo(request)
        _ = try await client.send(ClientRequest(.head, server.url("head")))
        _ = try await client.send(ClientRequest(.get, server.url("fields")))
        let seen = try await client.echo(ClientRequest(.get, server.url("echo")))
        #expect(seen.method == "GET")
        #expect(seen.headers.map { $0[0] }.sorted() == ["Accept", "Host", "User-Agent"])
        #expect(seen.values("User-Agent") == ["linkedin-signin"])
        #expect(seen.body.isEmpty)
        await client.shutdown()
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH"])
    func `other methods can have a body`(method: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let request = try ClientRequest(Method(rawValue: method), server.url("echo"), body: Array("body".utf8))
        let seen = try await client.echo(request)
        #expect(seen.method == method)
        #expect(seen.body == "body")
        await client.shutdown()
    }

    @Test func `a large body is sent without waiting for 100 Continue`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.maximumBodyBytes = 4 << 20 }
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let seen = try await client.echo(ClientRequest(.post, server.url("echo"), body: body))
        #expect(seen.body.utf8.count == body.count)
        #expect(seen.values("Expect").isEmpty)
        await client.shutdown()
    }

    @Test func `header fields keep their order, without the space around values`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let headers = try await client.send(ClientRequest(.get, server.url("fields"))).headers
        #expect(headers.values(.setCookie) == ["a=1", "b=2"])
        #expect(headers.fields.map(\.value) == ["5", "a=1", "b=2", "", "in  the midst"])
        await client.shutdown()
    }

    @Test func `interim answers and trailers do not belong to the header`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let interim = try await client.send(ClientRequest(.get, server.url("interim")))
        #expect(interim.status == 200)
        #expect(interim.headers.fields.map(\.name.description) == ["Content-Length", "Final"])
        let chunked = try await client.send(ClientRequest(.get, server.url("chunked")))
        #expect(chunked.headers.fields.map(\.name.description) == ["Transfer-Encoding", "Trailer"])
        #expect(chunked.body == Array("hello".utf8))
        await client.shutdown()
    }

    @Test(arguments: [200, 204, 304, 400, 401, 403, 404, 408, 410, 429, 500, 502, 503, 504, 999])
    func `every final status is an answer`(status: Int) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        #expect(try await client.send(ClientRequest(.get, server.url("status=\(status)"))).status == status)
        await client.shutdown()
    }

    @Test func `a body of the maximum size is complete`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let response = try await client.send(ClientRequest(.get, server.url("size=\(1 << 20)")))
        #expect(response.body.count == 1 << 20)
        await client.shutdown()
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is an answer and is not followed`(status: Int) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        let request = try ClientRequest(
            .post,
            server.url("redirect=\(status)", token: token),
            body: Array("code=1".utf8)
        )
        let response = try await client.send(request)
        #expect(response.status == status)
        #expect(response.headers[.location] != nil)
        #expect(try await server.seen(token).count == 1)
        #expect(try await server.seen("\(token)-other").isEmpty)
        await client.shutdown()
    }
}

extension CurlTransport {
    /// The request as the server received it.
    fileprivate func echo(_ request: ClientRequest) async throws -> FaultServer.Seen {
        try await JSONDecoder().decode(FaultServer.Seen.self, from: Data(send(request).body))
    }
}
