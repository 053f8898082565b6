import FastCGI
import HTTP
import TestSupport
import Testing

/// Every failure has a status in the first line of its answer; an answer without one would count as permission.
struct DenialTests {
    private struct Broken: Error {}

    @Test(arguments: [UInt16(1), 2])
    func `a handler that throws becomes a 500 in every role`(role: UInt16) async throws {
        let server = try RunningServer { _ in throw Broken() }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/", role: role))
        #expect(answer.headerLines.first == "Status: 500 Internal Server Error")
        #expect(answer.bodyText == "500 Internal Server Error\n")
        let event = await server.event { if case .handlerFailed = $0 { true } else { false } }
        guard case .handlerFailed(_, let errorType) = event else {
            Issue.record("no event")
            return
        }
        #expect(errorType == "Broken")
    }

    @Test(arguments: [UInt16(1), 2])
    func `a handler that throws after waiting becomes a 500 in every role`(role: UInt16) async throws {
        let server = try RunningServer { _ in
            await Task.yield()
            throw CancellationError()
        }
        #expect(try await server.exchange(FastCGIRecords.request(path: "/", role: role)).status == 500)
    }

    @Test(arguments: [UInt16(1), 2])
    func `an answer whose header block is too large becomes a 500 in every role`(role: UInt16) async throws {
        let server = try RunningServer { _ in
            var response = Response(.ok)
            try response.headers.append(.location, String(repeating: "x", count: 4_000))
            return response
        }
        let answer = try await server.exchange(FastCGIRecords.request(path: "/", role: role))
        #expect(answer.status == 500)
        #expect(!answer.text.contains("xxx"))
    }

    @Test(arguments: [UInt16(1), 2])
    func `a request without a method or path is answered with 400`(role: UInt16) async throws {
        let server = try RunningServer { _ in try .text("asked") }
        for parameters in [[], [("SCRIPT_NAME", "/")], [("REQUEST_METHOD", "GET")]] {
            let answer = try await server.exchange(FastCGIRecords.request(parameters, role: role))
            #expect(answer.status == 400)
        }
    }

    @Test func `an error answer after an answer to HEAD has a body`() async throws {
        let server = try RunningServer(.forTests { $0.workers = 1 })
        for _ in 0..<3 {
            #expect(try await server.exchange(FastCGIRecords.request("HEAD", path: "/")).body.isEmpty)
            #expect(try await server.exchange(FastCGIRecords.request([])).bodyText == "400 Bad Request\n")
        }
    }

    @Test(arguments: [UInt16(1), 2])
    func `parameters over the limit are answered with 431 and the connection stays open`(role: UInt16) async throws {
        let server = try RunningServer(.forTests { $0.parameterLimit = 10_000 })
        let client = try server.client()
        for size in [10_001, 300_000, 2_000_000] {
            let client = role == 1 ? client : try server.client()
            let long = ("HTTP_COOKIE", String(repeating: "x", count: size))
            let answer = try await client.exchange(FastCGIRecords.request([long], body: [1], role: role, keep: true))
            #expect(answer.status == 431)
        }
        #expect(try await client.exchange(FastCGIRecords.request(path: "/next")).bodyText == "/next")
    }

    @Test func `parameters that end within a pair are answered with 400`() async throws {
        let server = try RunningServer { _ in try .text("asked") }
        let parameters = [("REQUEST_METHOD", "GET"), ("SCRIPT_NAME", "/"), ("SIGNIN_REQUIRE", "member")]
        let pairs = FastCGIRecords.pairs(parameters)
        let records = FastCGIRecords.begin() + FastCGIRecords.stream(4, pairs.dropLast()) + FastCGIRecords.record(5)
        #expect(try await server.exchange(records).status == 400)
    }

    @Test func `a body over the limit is read, and answered with 413`() async throws {
        let server = try RunningServer(.forTests { $0.bodyLimit = 10_000 })
        let client = try server.client()
        for size in [10_001, 500_000, 5_000_000] {
            let body = [UInt8](repeating: 1, count: size)
            let answer = try await client.exchange(FastCGIRecords.request("POST", path: "/", body: body, keep: true))
            #expect(answer.status == 413)
        }
        #expect(try await client.exchange(FastCGIRecords.request("POST", path: "/next", body: [1])).bodyText == "/next")
    }

    @Test func `a handler can receive a request whose body is over the limit, without the body`() async throws {
        let server = try RunningServer(
            .forTests {
                $0.bodyLimit = 10_000
                $0.asksWithoutBody = true
            }
        ) { request in
            try .text("\(request.path) \(request.isBodyOmitted) \(request.body.count)")
        }
        let client = try server.client()
        for size in [10_000, 10_001, 70_000, 5_000_000] {
            let body = [UInt8](repeating: 1, count: size)
            let answer = try await client.exchange(FastCGIRecords.request("POST", path: "/a", body: body, keep: true))
            #expect(answer.bodyText == (size > 10_000 ? "/a true 0" : "/a false 10000"))
        }
    }

    @Test func `an answer with the header of another program has a higher limit`() async throws {
        let server = try RunningServer { request in
            var response = try Response.text("whole")
            response.hasForeignHeader = request.path == "/foreign"
            for number in 0..<20 {
                let name = try #require(HeaderName("X-\(number)"))
                try response.headers.append(name, String(repeating: "v", count: 1_000))
            }
            return response
        }
        #expect(try await server.exchange(FastCGIRecords.request(path: "/own")).status == 500)
        #expect(try await server.exchange(FastCGIRecords.request(path: "/foreign")).bodyText == "whole")
    }

    @Test func `an endless body is answered before it ends`() async throws {
        let server = try RunningServer(
            .forTests {
                $0.bodyLimit = 1_000
                $0.discardLimit = 100_000
            }
        )
        let client = try server.client()
        let head = FastCGIRecords.begin() + FastCGIRecords.stream(4, FastCGIRecords.pairs([("REQUEST_METHOD", "POST")]))
        try await client.send(head + FastCGIRecords.record(5, [UInt8](repeating: 1, count: 60_000)))
        try await client.send(FastCGIRecords.record(5, [UInt8](repeating: 1, count: 60_000)))
        #expect(try await client.answer().status == 413)
        #expect(try await client.isClosed(within: .seconds(5)))
    }

    @Test func `partially received requests together stay within their limit`() async throws {
        let server = try RunningServer(.forTests { $0.unfinishedLimit = 100_000 })
        let head = FastCGIRecords.begin() + FastCGIRecords.stream(4, FastCGIRecords.pairs([("REQUEST_METHOD", "POST")]))
        let part = head + FastCGIRecords.record(5, [UInt8](repeating: 1, count: 60_000))
        let first = try server.client()
        try await first.send(part)
        let second = try server.client()
        try await second.send(part)
        // The one that is read last goes over the limit.
        #expect(await server.event { $0 == .memoryExhausted } != nil)
        #expect(try await server.exchange(FastCGIRecords.request(path: "/after")).bodyText == "/after")
    }
}
