package import HTTP
import Synchronization

import var Glibc._SC_NPROCESSORS_ONLN
import func Glibc.sysconf

/// A FastCGI server: listeners, worker threads and one responder.
///
/// `run` serves on the calling thread, usually the main one, until a signal or `stop()` ends it.
package final class Server: Sendable {
    private let engine: Engine
    private let listeners: [Listener]

    /// Prepares a server; it accepts connections only after `run` is called.
    ///
    /// - Parameters:
    ///   - options: The defaults suit nginx and lighttpd.
    ///   - listeners: At least one; the server closes them after it has stopped.
    ///   - notes: The notes to send with answers.
    ///   - responder: Answers requests.
    ///   - events: Receives what an operator may want to know, on the thread of a worker; it must not block.
    /// - Throws: `FastCGIError` if the process has no free descriptors, or if `options.peers` restricts the users of a TCP
    ///   socket, which is not possible.
    package init(
        options: ServerOptions = ServerOptions(),
        listeners: [Listener],
        notes: ErrorNotes = ErrorNotes(),
        responder: any Responder,
        events: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) throws(FastCGIError) {
        try Self.check(options, listeners)
        guard !listeners.isEmpty else { throw FastCGIError("serve", hint: "there is no socket to listen at") }
        try Library.start()
        self.listeners = listeners
        engine = try Engine(
            options: options,
            listeners: listeners,
            notes: notes,
            responder: responder,
            events: events
        )
    }

    private static func check(_ options: ServerOptions, _ listeners: [Listener]) throws(FastCGIError) {
        if options.peers != .any, let listener = listeners.first(where: { !$0.isUnix }) {
            throw FastCGIError("check the peers of \(listener.name)", hint: "that needs a Unix socket")
        }
    }

    /// Replaces limits and responder while the server runs; a request that has begun keeps the responder it began with.
    ///
    /// - Parameters:
    ///   - options: The limits; the number of workers has no effect.
    ///   - responder: Answers requests from now on.
    /// - Throws: `FastCGIError` if `options.peers` restricts the users of a TCP socket; nothing has changed then.
    package func replace(options: ServerOptions, responder: any Responder) throws(FastCGIError) {
        try Self.check(options, listeners)
        engine.replace { Service(number: $0, options, responder) }
    }

    /// What the server has done and does now, from any thread.
    package var figures: ServerFigures { engine.figures }

    /// Serves until the server is stopped; returns within the grace time, even if requests hang.
    ///
    /// Blocks the calling thread, so it must not be called on Swift's shared pool. Call it once.
    ///
    /// - Parameters:
    ///   - signals: The signals that stop the server; nil if only `stop()` does.
    ///   - pulse: How often the server looks at its own threads; nil for never.
    /// - Throws: `FastCGIError` if the system refuses a thread.
    package func run(
        until signals: StopSignals? = nil,
        checking pulse: PulseCheck? = nil
    ) throws(FastCGIError) {
        try engine.run(until: signals, checking: pulse)
    }

    /// Makes `run` return, from any thread.
    package func stop() {
        engine.requestStop()
    }
}

/// The limits of a server; the defaults suit nginx and lighttpd with their default settings.
package struct ServerOptions: Sendable {
    /// Threads that run handlers.
    ///
    /// A handler that waits does not keep its thread, so one thread for each core is enough. At least two, so that one
    /// long computation does not stop all other requests.
    package var workers = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Bytes of all parameters of a request together; a larger request is answered with 431.
    package var parameterLimit = 256 << 10
    /// Bytes of a request's body; a larger one is answered with 413.
    package var bodyLimit = 1 << 20
    /// Bytes of a request over its limits that are read and discarded, so that the peer can read the answer.
    package var discardLimit = 64 << 20
    /// Bytes of all partially received requests together.
    package var unfinishedLimit = 64 << 20
    /// Bytes of an answer's header block; nginx accepts one memory page and answers 502 to a larger one.
    package var answerHeaderLimit = 3_584
    /// The same for an answer whose header is another program's; the web server needs a buffer of 32 KiB for it.
    package var foreignHeaderLimit = 32_000
    /// Whether a request with a body over the limit goes to the handler, without the body and marked so.
    package var asksWithoutBody = false
    /// The path whose POST requests have the field `Authorization`; nil for none.
    ///
    /// A web server may pass the field with every request, and other programs' passwords must not come further than here.
    package var authorizationPath: String?
    /// The path whose POST requests have the names of their variables, for `doctor`; nil for none.
    package var describedPath: String?
    /// The time from accepting a connection, or from the first byte of a later request, to the last byte of the request.
    package var requestTimeout = Duration.seconds(10)
    /// The time in which a peer must take an answer.
    package var answerTimeout = Duration.seconds(30)
    /// The time a kept connection may be idle; longer than nginx keeps one (60 s), so that nginx closes first.
    package var idleTimeout = Duration.seconds(75)
    /// The time after which a worker that is busy with one request hangs.
    package var hangLimit = Duration.seconds(10)
    /// The maximum time for stopping.
    package var grace = Duration.seconds(10)
    /// The users whose processes may connect to a Unix socket.
    package var peers = PeerPolicy.any

    package init() {}
}
