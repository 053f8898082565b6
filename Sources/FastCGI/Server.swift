package import HTTP
import Synchronization

/// A FastCGI server: listeners, worker threads and one handler.
///
/// A thread of its own, usually the main one, runs it until a signal or `stop()` ends it.
package final class Server: Sendable {
    private let engine: Engine

    /// Prepares a server; it accepts nothing before `run` is called.
    ///
    /// - Parameters:
    ///   - configuration: Bounds; the defaults suit nginx and lighttpd.
    ///   - listeners: At least one; the server closes them when it has stopped.
    ///   - handler: Answers requests. What it throws is answered with 500 in every role.
    ///   - events: Is told what the operator may want to know, on a worker's thread.
    /// - Throws: `FastCGIError` if the system has no descriptors left, or the peers of a TCP socket are to be checked,
    ///   which cannot be done.
    package init(
        configuration: Configuration = Configuration(),
        listeners: [Listener],
        handler: @escaping Handler,
        events: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) throws(FastCGIError) {
        if configuration.peers != .any, let listener = listeners.first(where: { !$0.isUnix }) {
            throw FastCGIError("check the peers of \(listener.name)", hint: "that needs a Unix socket")
        }
        guard !listeners.isEmpty else { throw FastCGIError("serve", hint: "there is no socket to listen at") }
        try Library.start()
        engine = try Engine(configuration: configuration, listeners: listeners, handler: handler, events: events)
    }

    /// Serves until it is told to stop, and returns within the grace time whatever is stuck.
    ///
    /// It blocks its thread, so it must not be called on Swift's shared pool. A server runs once.
    ///
    /// - Parameter signals: Ends the server when one comes; nil to leave that to `stop()`.
    /// - Throws: `FastCGIError` if the system refuses a thread.
    package func run(until signals: StopSignals? = nil) throws(FastCGIError) {
        do {
            for _ in 0..<max(1, engine.configuration.workers) { try engine.startWorker() }
        } catch {
            engine.end()
            throw error
        }
        engine.supervise(until: signals)
    }

    /// Makes `run` return, from any thread.
    package func stop() {
        engine.isStopRequested.store(true, ordering: .sequentiallyConsistent)
        engine.supervisor.signal()
    }
}
