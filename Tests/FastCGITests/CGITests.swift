import Glibc
import HTTP
import Synchronization
import Testing

@testable import FastCGI

/// Plain CGI, with pipes as standard input and output.
struct CGITests {
    private func answer(
        _ variables: [String],
        input: [UInt8] = [],
        options: ServerOptions = ServerOptions(),
        handler: Handler
    ) async throws -> (String, [ServerEvent]) {
        let (inputEnds, outputEnds) = try (pipe(), pipe())
        // unsafe because the calls take pointers to local arrays.
        try #require(unsafe write(inputEnds.1, input, input.count) == input.count)
        close(inputEnds.1)
        let events = Mutex<[ServerEvent]>([])
        await CGI.answer(
            variables: variables.map { Array($0.utf8) },
            input: inputEnds.0,
            output: outputEnds.1,
            options: options,
            handler: handler
        ) { event in
            events.withLock { $0.append(event) }
        }
        close(outputEnds.1)
        var buffer = [UInt8](repeating: 0, count: 60_000)
        // unsafe because the call writes to a local array through a pointer.
        let count = unsafe read(outputEnds.0, &buffer, buffer.count)
        close(outputEnds.0)
        close(inputEnds.0)
        return (String(decoding: buffer.prefix(count), as: UTF8.self), events.withLock { $0 })
    }

    private func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        // unsafe because the call writes to a local array through a pointer.
        try #require(unsafe Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a CGI request from the environment is answered on standard output`() async throws {
        let variables = ["GATEWAY_INTERFACE=CGI/1.1", "REQUEST_METHOD=POST", "SCRIPT_NAME=/a", "CONTENT_LENGTH=3"]
        let (text, events) = try await answer(variables, input: Array("body".utf8)) { request in
            try .text("\(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
        #expect(text == "Status: 200 OK\r\nContent-Type: text/plain\r\n\r\n/a bod")
        #expect(events.isEmpty)
    }

    @Test func `a CGI body shorter than its stated length is accepted`() async throws {
        let variables = ["REQUEST_METHOD=POST", "SCRIPT_NAME=/", "CONTENT_LENGTH=9"]
        let (text, _) = try await answer(variables, input: [65]) { Response(.ok, body: $0.body) }
        #expect(text == "Status: 200 OK\r\n\r\nA")
    }

    @Test func `a CGI failure has its status in the first line`() async throws {
        let good = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/"]
        let failed = try await answer(good) { _ in throw CancellationError() }
        #expect(failed.0.hasPrefix("Status: 500 "))
        #expect(failed.1.count == 1)
        #expect(try await answer([]) { _ in Response(.ok) }.0.hasPrefix("Status: 400 "))
        let long = try await answer(good + ["CONTENT_LENGTH=1048577"]) { _ in Response(.ok) }
        #expect(long.0.hasPrefix("Status: 413 "))
        let headers = try await answer(good) { _ in
            var response = Response(.ok)
            try response.headers.append(.location, String(repeating: "x", count: 4_000))
            return response
        }
        #expect(headers.0.hasPrefix("Status: 500 "))
    }
}
