import Dispatch
import FastCGI
import HTTP
import Synchronization
import TestSupport
import Testing

struct ServerTests {
    @Test func `a request is answered, and the connection closed unless it is kept`() async throws {
        let server = try RunningServer { request in try .text("\(request.method.rawValue) \(request.path)") }
        let client = try server.client()
        let answer = try await client.exchange(FastCGIRecords.request(path: "/hello"))
        #expect(answer.headerLines == ["Status: 200 OK", "Content-Type: text/plain"])
        #expect(answer.bodyText == "GET /hello")
        #expect(answer.protocolStatus == 0)
        #expect(answer.errors.isEmpty)
        #expect(try await client.isClosed(within: .seconds(5)))
    }

    @Test func `a request that can be answered at once does not reach the handler`() async throws {
        let server = try RunningServer(
            handler: { request in try .text("handler \(request.path)") },
            answerAtOnce: { request, _ in request.path == "/now" ? .now(.plain("at once")) : .needsTask }
        )
        #expect(try await server.exchange(FastCGIRecords.request(path: "/now")).bodyText == "at once")
        #expect(try await server.exchange(FastCGIRecords.request(path: "/later")).bodyText == "handler /later")
        _ = await server.stop()
        #expect(server.server.figures.answers.map(\.value) == [2])
    }

    @Test func `an answer without a task can come later, from any thread`() async throws {
        let waiting = Mutex<[any LaterAnswer]>([])
        let server = try RunningServer(answerAtOnce: { request, later in
            // The answer of one request comes before the worker has left it.
            if request.path == "/soon" { later.give { .plain("soon") } } else { waiting.withLock { $0.append(later) } }
            return .later
        })
        #expect(try await server.exchange(FastCGIRecords.request(path: "/soon")).bodyText == "soon")
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients { try await client.send(FastCGIRecords.request(path: "/later")) }
        while waiting.withLock(\.count) < clients.count { await Task.yield() }
        _ = Background.run { for later in waiting.withLock({ $0 }) { later.give { .plain("later") } } }
        for client in clients { #expect(try await client.answer().bodyText == "later") }
        _ = await server.stop()
        #expect(server.server.figures.waitingRequests == 0)
        #expect(server.server.figures.answers.map(\.value) == [21])
    }

    @Test func `many answers that come at once are made by more than one worker`() async throws {
        let waiting = Mutex<[any LaterAnswer]>([])
        let begun = Atomic(0)
        let hasMet = Atomic(false)
        let server = try RunningServer(answerAtOnce: { _, later in
            waiting.withLock { $0.append(later) }
            return .later
        })
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients { try await client.send(FastCGIRecords.request(path: "/later")) }
        while waiting.withLock(\.count) < clients.count { await Task.yield() }
        let meeting = DispatchSemaphore(value: 0)
        for later in waiting.withLock({ $0 }) {
            later.give {
                let number = begun.wrappingAdd(1, ordering: .relaxed).newValue
                // The first one keeps its worker until another worker has begun.
                if number == 1 { hasMet.store(meeting.wait(timeout: .now() + 5) == .success, ordering: .relaxed) }
                if number == 2 { meeting.signal() }
                return .plain("later")
            }
        }
        for client in clients { #expect(try await client.answer().bodyText == "later") }
        let isShared = hasMet.load(ordering: .relaxed)
        #expect(isShared)
    }

    @Test func `an answer that comes after the grace time changes nothing`() async throws {
        let waiting = Mutex<[any LaterAnswer]>([])
        let answerAtOnce: @Sendable (Request, any LaterAnswer) -> ImmediateAnswer = { _, later in
            waiting.withLock { $0.append(later) }
            return .later
        }
        let server = try RunningServer(.forTests { $0.grace = .milliseconds(50) }, answerAtOnce: answerAtOnce)
        let client = try server.client()
        try await client.send(FastCGIRecords.request(path: "/later"))
        while waiting.withLock(\.isEmpty) { await Task.yield() }
        #expect(await server.stop() < .seconds(10))
        for later in waiting.withLock({ $0 }) { later.give { .plain("too late") } }
        #expect(try await client.isClosed(within: .seconds(5)))
    }

    @Test func `an answer whose header is too large is counted with the status that replaces its own`() async throws {
        let server = try RunningServer { _ in
            var response = Response(.ok)
            try response.headers.append(.location, "/" + String(repeating: "a", count: 5_000))
            return response
        }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/"))
        #expect(answer.headerLines.first == "Status: 500 Internal Server Error")
        _ = await server.stop()
        #expect(server.server.figures.answers.map(\.key.status) == ["500"])
    }

    @Test func `a server listens at a loopback port as well`() async throws {
        let listener = try Listener.tcp(host: "127.0.0.1", port: 0)
        let port = try #require(listener.port)
        let server = try RunningServer(listeners: [listener])
        let answer = try await FastCGIClient(port: port).exchange(FastCGIRecords.request(path: "/tcp"))
        #expect(answer.bodyText == "/tcp")
        _ = await server.stop()
    }

    @Test func `requests on one connection do not affect each other`() async throws {
        let server = try RunningServer { request in
            try .text("\(request.path) \(request.query) \(request.cookies) \(request.serverParameters) \(request.body)")
        }
        let client = try server.client()
        let rich = FastCGIRecords.request(
            [
                ("REQUEST_METHOD", "POST"), ("SCRIPT_NAME", "/rich"), ("QUERY_STRING", "a=1"), ("HTTP_COOKIE", "b=2"),
                ("SIGNIN_A", "c"),
            ],
            body: [1, 2, 3],
            keep: true
        )
        for number in 0..<200 {
            #expect(try await client.exchange(rich).bodyText.hasPrefix("/rich a=1"))
            let answer = try await client.exchange(FastCGIRecords.request(path: "/\(number)", keep: true))
            #expect(answer.bodyText == "/\(number)  \(Cookies()) \(ServerParameters()) []")
        }
        #expect(try await client.exchange(FastCGIRecords.request(path: "/last")).bodyText.hasPrefix("/last"))
        #expect(try await client.isClosed(within: .seconds(5)))
    }

    @Test func `a request that arrives byte by byte is answered`() async throws {
        let server = try RunningServer { request in try .text("\(request.path) \(request.body)") }
        let client = try server.client()
        for _ in 0..<2 {
            for byte in FastCGIRecords.request("POST", path: "/slow", body: [7, 8], keep: true) {
                try await client.send([byte])
            }
            #expect(try await client.answer().bodyText == "/slow [7, 8]")
        }
    }

    @Test func `a request can end anywhere in libfcgi's buffer of 8 KiB`() async throws {
        let server = try RunningServer()
        let client = try server.client()
        for padding in 8_100...8_200 {
            let parameters = [
                ("REQUEST_METHOD", "GET"), ("SCRIPT_NAME", "/\(padding)"),
                ("PADDING", String(repeating: "x", count: padding)),
            ]
            let answer = try await client.exchange(FastCGIRecords.request(parameters, keep: true))
            #expect(answer.bodyText == "/\(padding)")
        }
    }

    @Test(arguments: [0, 1, 8_000, 8_192, 60_000, 200_000, 1 << 20])
    func `bodies of every size arrive complete, in one record or many`(size: Int) async throws {
        let server = try RunningServer { request in Response(.ok, body: request.body) }
        let client = try server.client()
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for recordSize in [60_000, 1_000] {
            let records =
                FastCGIRecords.begin(keep: true)
                + FastCGIRecords.stream(4, FastCGIRecords.pairs([("REQUEST_METHOD", "POST"), ("SCRIPT_NAME", "/")]))
                + FastCGIRecords.stream(5, body, size: recordSize)
            #expect(try await client.exchange(records).body == body)
        }
    }

    @Test(arguments: [100, 8_000, 32_000, 33_000, 1_000_000])
    func `answers of every size arrive complete, and the connection stays open`(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 17) }
        let server = try RunningServer { _ in Response(.ok, body: body) }
        let client = try server.client()
        for _ in 0..<3 {
            #expect(try await client.exchange(FastCGIRecords.request(path: "/", keep: true)).body == body)
        }
    }

    @Test func `an answer to HEAD has no body`() async throws {
        let server = try RunningServer { _ in try .text("body") }
        let answer = try await server.exchange(FastCGIRecords.request("HEAD", path: "/"))
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
    }

    @Test func `the body of an authorizer's request is not read`() async throws {
        let server = try RunningServer { request in try .text("\(request.role) \(request.uri) \(request.body)") }
        let records =
            FastCGIRecords.begin(role: 2)
            + FastCGIRecords.stream(4, FastCGIRecords.pairs([("REQUEST_METHOD", "POST"), ("REQUEST_URI", "/a%20b?c")]))
        // lighttpd before 1.4.77 omits the body and its end; others send it.
        for body in [[], FastCGIRecords.record(5), FastCGIRecords.record(5, [1, 2, 3])] {
            let answer = try await server.exchange(records + body)
            #expect(answer.bodyText == "authorizer /a%20b?c []")
        }
    }

    @Test func `an unsupported role is refused and the connection stays open`() async throws {
        let server = try RunningServer()
        let client = try server.client()
        for role in [UInt16(3), 4, 999] {
            let data = role == 3 ? FastCGIRecords.stream(8, [1]) : []
            let answer = try await client.exchange(FastCGIRecords.request(path: "/", role: role, keep: true) + data)
            #expect(answer == FastCGIAnswer(protocolStatus: 3))
            let next = try await client.exchange(FastCGIRecords.request(path: "/next", keep: true))
            #expect(next.bodyText == "/next")
        }
    }

    @Test func `a request before the last answer ends the connection`() async throws {
        let server = try RunningServer()
        let client = try server.client()
        try await client.send(FastCGIRecords.request(path: "/1", keep: true) + FastCGIRecords.request(path: "/2"))
        #expect(try await client.answer().bodyText == "/1")
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(await server.event { $0 == .recordRefused(.early) } != nil)
    }

    @Test(arguments: [FastCGIRecords.record(9, id: 0), FastCGIRecords.begin() + FastCGIRecords.record(77)])
    func `a peer that does not speak FastCGI is disconnected`(records: [UInt8]) async throws {
        let server = try RunningServer()
        let client = try server.client()
        try await client.send(records)
        #expect(try await client.isClosed(within: .seconds(5)))
        #expect(try await server.exchange(FastCGIRecords.request(path: "/after")).bodyText == "/after")
    }

    @Test func `a peer that disconnects within a request has no effect on others`() async throws {
        let server = try RunningServer()
        let request = FastCGIRecords.request(path: "/gone", body: [1, 2, 3])
        for end in request.indices {
            let client = try server.client()
            try await client.send(Array(request[..<end]))
            client.endSending()
            #expect(try await client.isClosed(within: .seconds(5)))
        }
        #expect(try await server.exchange(FastCGIRecords.request(path: "/after")).bodyText == "/after")
    }
}
