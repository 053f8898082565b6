package import HTTP
import Synchronization

/// HTTPS by libcurl: every call of the program on one thread of its own, with pooled connections and fixed bounds.
///
/// What it never does: follow a redirect, keep a cookie, read a netrc file, log in, decode a content encoding, or
/// let a request be processed twice that must be processed once.
package final class CurlTransport: Transport {
    private let mailbox: Mailbox
    private let thread: Mutex<LoopThread?>
    private let lastID = Atomic<UInt64>(0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - configuration: the bounds; the defaults suit a sign-in.
    ///   - observer: is told what happens beside the answers.
    /// - Throws: `TransportError` if the system gives no thread or no memory.
    package init(
        _ configuration: Configuration = Configuration(),
        observer: @escaping Observer = { _ in }
    ) throws(TransportError) {
        let multi = try MultiHandle(maximumIdleConnections: configuration.maximumIdleConnections)
        let mailbox = Mailbox(capacity: configuration.maximumCalls, alarm: multi.alarm)
        let loop = TransferLoop(multi: multi, mailbox: mailbox, configuration: configuration, observer: observer)
        self.mailbox = mailbox
        thread = Mutex(try LoopThread(running: loop))
    }

    deinit {
        mailbox.stop()
    }

    /// Sends a request and waits for the complete answer; cancelling the task ends the transfer.
    ///
    /// - Parameter request: its URL is https, or http to `localhost` or a literal loopback address.
    /// - Returns: the answer with its body, whatever its status.
    /// - Throws: `TransportError`; `.busy` at once if `maximumCalls` are under way.
    package func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let destination = try Destination(request.url)
        let id = lastID.add(1, ordering: .relaxed).newValue
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(Call(id: id, request: request, destination: destination, continuation: continuation))
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try outcome.get()
    }

    /// Ends outstanding calls with `.cancelled`, closes all connections and waits for the thread to end.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.ended()
        // The thread has done its last work, so that joining it takes no time worth a suspension.
        let thread = self.thread.withLock { $0.take() }
        thread?.join()
    }
}
