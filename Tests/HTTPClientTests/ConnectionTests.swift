import HTTP
import HTTPClient
import Testing

@Suite struct ConnectionTests {
    @Test(arguments: ["http", "good"]) func `consecutive calls share a connection`(
        listener: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        for _ in 0..<5 { _ = try await client.send(ClientRequest(.get, server.url("ok", token: token, on: listener))) }
        #expect(Set(try await server.seen(token).map(\.connection)).count == 1)
        await client.shutdown()
    }

    @Test(arguments: ["http", "good"], ["POST", "PUT", "DELETE"])
    func `a request that must not be processed twice uses a new connection`(
        listener: String,
        method: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        // The server ends this connection at the next request.
        _ = try await client.send(ClientRequest(.get, server.url("once", on: listener)))
        let request = try ClientRequest(
            Method(rawValue: method),
            server.url("once", token: token, on: listener),
            body: Array("code=1".utf8)
        )
        #expect(try await client.send(request).status == 200)
        #expect(try await server.seen(token).count == 1)
        await client.shutdown()
    }

    @Test(arguments: ["http", "good"], ["POST", "PUT", "DELETE"])
    func `a request that must not be processed twice is not repeated when its connection ends`(
        listener: String,
        method: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        let request = try ClientRequest(
            Method(rawValue: method),
            server.url("hang-up-at-once", token: token, on: listener),
            body: Array("code=1".utf8)
        )
        #expect(await client.errorCode(of: request) == .malformed)
        #expect(try await server.seen(token).count == 1)
        await client.shutdown()
    }

    @Test(arguments: ["http", "good"]) func `a GET is repeated when a kept connection ends without an answer`(
        listener: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        _ = try await client.send(ClientRequest(.get, server.url("once", on: listener)))
        let response = try await client.send(ClientRequest(.get, server.url("once", token: token, on: listener)))
        #expect(response.status == 200)
        #expect(try await server.seen(token).count == 2)
        await client.shutdown()
    }

    @Test(arguments: [("hang-up", "http"), ("hang-up", "good"), ("take-leave", "good")])
    func `a connection that ended while idle is replaced before a POST is sent`(
        answer: String,
        listener: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        for count in 1...3 {
            let request = try ClientRequest(.post, server.url(answer, token: token, on: listener), body: [1])
            #expect(try await client.send(request).status == 200)
            #expect(try await server.seen("\(token)-over", atLeast: count).count == count)
        }
        #expect(try await server.seen(token).count == 3)
        await client.shutdown()
    }

    @Test(arguments: ["http", "good"], ["length-below-body", "late-excess"])
    func `bytes behind an answer never become the answer to the next request`(
        listener: String,
        answer: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        for count in 1...3 {
            let first = try await client.send(ClientRequest(.get, server.url(answer, token: token, on: listener)))
            #expect(first.body == Array("hello".utf8))
            #expect(try await server.seen("\(token)-over", atLeast: count).count == count)
            let second = try await client.send(ClientRequest(.get, server.url("size=4", on: listener)))
            #expect(second.body == Array("xxxx".utf8))
        }
        await client.shutdown()
    }

    @Test func `concurrent calls share an existing HTTP/2 connection`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let base = try server.url("call", on: "http2")
        let first = try await client.send(ClientRequest(.get, base))
        let answers = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
            for index in 0..<50 { group.addTask { try await client.send(ClientRequest(.get, "\(base)/\(index)")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let protocols = Set(answers.flatMap { $0.headers.fields.filter { $0.name == .protocolName }.map(\.value) })
        #expect(protocols == ["HTTP/2.0"])
        #expect(Set(answers.map { $0.headers[.connectionNumber] }) == [first.headers[.connectionNumber]])
        #expect(Set(answers.map { String(decoding: $0.body, as: UTF8.self) }).count == 50)
        await client.shutdown()
    }

    @Test func `an HTTP/2 connection that the server closes is replaced before a POST is sent`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let request = try ClientRequest(.post, server.url("call", on: "http2-brief"), body: [1])
        var connections: Set<String?> = []
        for _ in 0..<10 {
            let response = try await client.send(request)
            #expect(response.status == 200)
            connections.insert(response.headers[.connectionNumber])
        }
        #expect(connections.count >= 5)
        await client.shutdown()
    }
}

extension HeaderName {
    fileprivate static let protocolName = HeaderName("Protocol") ?? .accept
    fileprivate static let connectionNumber = HeaderName("Connection-Number") ?? .accept
}
