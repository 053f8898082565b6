import Dispatch
import FastCGI
import HTTP
import TestSupport

import class Foundation.FileManager
import struct Foundation.UUID

/// A server that runs on its own thread until the test is over.
final class RunningServer: Sendable {
    let path: String
    let server: Server
    let events: AsyncStream<ServerEvent>
    private let directory: String
    private let ended: Task<Void, any Error>

    init(
        _ options: ServerOptions = .forTests(),
        listeners: [Listener] = [],
        handler: @escaping Handler = { request in try .text(request.path) },
        answerAtOnce: @escaping @Sendable (Request, any LaterAnswer) -> ImmediateAnswer = { _, _ in .needsTask }
    ) throws {
        directory = try Self.makeDirectory()
        path = directory + "/socket"
        let (events, tell) = AsyncStream.makeStream(of: ServerEvent.self)
        self.events = events
        let server = try Server(
            options: options,
            listeners: [try Listener.unix(path: path)] + listeners,
            responder: TestResponder(handler, answerAtOnce),
            events: { tell.yield($0) }
        )
        self.server = server
        // So that a test that waits for a missing event fails instead of hanging.
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) { tell.finish() }
        ended = Background.run {
            defer { tell.finish() }
            try server.run()
        }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    func client() throws -> FastCGIClient {
        try FastCGIClient(path: path)
    }

    /// Sends one request on a new connection.
    func exchange(_ records: [UInt8], within patience: Duration = .seconds(10)) async throws -> FastCGIAnswer {
        try await client().exchange(records, within: patience)
    }

    /// Stops the server and waits until `run` has returned.
    ///
    /// - Returns: The time that it took.
    func stop() async -> Duration {
        await ContinuousClock().measure {
            server.stop()
            _ = await ended.result
        }
    }

    /// The first event that meets a condition; nil if the server ends before there is one.
    func event(where condition: (ServerEvent) -> Bool) async -> ServerEvent? {
        for await event in events where condition(event) { return event }
        return nil
    }

    static func makeDirectory() throws -> String {
        let directory = "/tmp/fastcgi-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        return directory
    }
}

extension ServerOptions {
    /// Options with two workers.
    static func forTests(_ change: (inout ServerOptions) -> Void = { _ in }) -> ServerOptions {
        var options = ServerOptions()
        options.workers = 2
        change(&options)
        return options
    }
}

extension Response {
    static func plain(_ text: String) -> Response { Response(.ok, body: Array(text.utf8)) }

    static func text(_ text: String, _ status: Status = .ok) throws -> Response {
        var response = Response(status, body: Array(text.utf8))
        try response.headers.append(.contentType, "text/plain")
        return response
    }
}

/// A responder whose answers are closures.
private final class TestResponder: Responder {
    private let handler: Handler
    private let answerAtOnce: @Sendable (Request, any LaterAnswer) -> ImmediateAnswer

    init(
        _ handler: @escaping Handler,
        _ answerAtOnce: @escaping @Sendable (Request, any LaterAnswer) -> ImmediateAnswer = { _, _ in .needsTask }
    ) {
        (self.handler, self.answerAtOnce) = (handler, answerAtOnce)
    }

    func respond(to request: Request) async throws -> Response { try await handler(request) }

    func respondAtOnce(to request: Request, or later: any LaterAnswer) -> ImmediateAnswer {
        answerAtOnce(request, later)
    }

    func route(of request: Request) -> Int { 0 }
}

extension Server {
    convenience init(
        options: ServerOptions = ServerOptions(),
        listeners: [Listener],
        handler: @escaping Handler,
        events: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) throws {
        try self.init(options: options, listeners: listeners, responder: TestResponder(handler), events: events)
    }

    func replace(options: ServerOptions, handler: @escaping Handler) throws {
        try replace(options: options, responder: TestResponder(handler))
    }
}
