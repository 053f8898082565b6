import HTTP
import HTTPClient
import Testing

@Suite struct BoundsTests {
    @Test func `a call over the limit is busy at once, and a call that ends makes room`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.maximumCalls = 2 }
        let token = uniqueToken()
        let silence = try ClientRequest(.get, server.url("silence", token: token))
        let waiting = [0, 1].map { _ in Task { await client.errorCode(of: silence) } }
        #expect(try await server.seen(token, atLeast: 2).count == 2)
        let third = try ClientRequest(.get, server.url("ok"))
        #expect(await client.errorCode(of: third) == .busy)
        waiting[0].cancel()
        #expect(await waiting[0].value == .cancelled)
        #expect(await client.errorCode(of: third) == nil)
        await client.shutdown()
        #expect(await waiting[1].value == .cancelled)
    }

    @Test func `cancelling a task closes its connection`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        let silence = try ClientRequest(.post, server.url("silence", token: token))
        let waiting = Task { await client.errorCode(of: silence) }
        #expect(try await server.seen(token, atLeast: 1).count == 1)
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(try await server.seen("\(token)-over", atLeast: 1).count == 1)
        await client.shutdown()
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        let request = try ClientRequest(.get, server.url("ok", token: token))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await client.errorCode(of: request)
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(try await server.seen(token).isEmpty)
        await client.shutdown()
    }

    @Test func `tasks cancelled at any time all end`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.maximumCalls = 1_000 }
        let request = try ClientRequest(.get, server.url("ok"))
        let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task { await client.errorCode(of: request) }
                    for _ in 0..<index { await Task.yield() }
                    task.cancel()
                    return await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled })
        #expect(codes.contains(.cancelled))
        await client.shutdown()
    }

    @Test func `after shutdown a call is cancelled, and a second shutdown returns`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        await client.shutdown()
        await client.shutdown()
        #expect(await client.errorCode(of: try ClientRequest(.get, server.url("ok"))) == .cancelled)
    }

    @Test(arguments: ["http", "good"])
    func `200 concurrent calls each get their own answer`(listener: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.maximumCalls = 200 }
        let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for index in 0..<200 {
                let request = try ClientRequest(.get, server.url("size=\(index)", on: listener))
                group.addTask { (index, try await client.send(request).body.count) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 200)
        #expect(counts.allSatisfy(==))
        await client.shutdown()
    }

    @Test func `calls that hang do not delay others`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.totalTimeout = .seconds(60) }
        let token = uniqueToken()
        let silence = try ClientRequest(.get, server.url("silence", token: token))
        let waiting = (0..<50).map { _ in Task { await client.errorCode(of: silence) } }
        #expect(try await server.seen(token, atLeast: 50).count == 50)
        let start = ContinuousClock.now
        _ = try await client.send(ClientRequest(.get, server.url("ok")))
        #expect(start.duration(to: .now) < .seconds(20))
        await client.shutdown()
        for task in waiting { #expect(await task.value == .cancelled) }
    }
}
