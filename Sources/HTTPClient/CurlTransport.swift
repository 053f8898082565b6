import CCurl
package import HTTP
import POSIX
import Synchronization

/// An HTTPS client on libcurl: all calls of the program on one thread, with pooled connections and fixed limits.
///
/// It never follows a redirect, stores a cookie, reads a netrc file, sends credentials of its own or decodes a content
/// encoding. It never lets a request be processed twice that must be processed once.
package final class CurlTransport: Transport {
    private let mailbox: Mailbox
    private let thread: Mutex<Thread?>
    private let lastID = Atomic<UInt64>(0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - configuration: The limits; the defaults suit a sign-in.
    ///   - observer: Receives events, see `Event`.
    /// - Throws: `TransportError` if the system refuses a thread or memory.
    package init(
        _ configuration: Configuration = Configuration(),
        observer: @escaping Observer = { _ in }
    ) throws(TransportError) {
        let configuration = try configuration.joiningAuthorities()
        let multi = try MultiHandle(maximumIdleConnections: configuration.maximumIdleConnections)
        let mailbox = Mailbox(capacity: configuration.maximumCalls, alarm: multi.alarm)
        let loop = TransferLoop(multi: multi, mailbox: mailbox, configuration: configuration, observer: observer)
        self.mailbox = mailbox
        thread = Mutex(try Self.start(loop))
    }

    deinit {
        mailbox.stop()
    }

    private static func start(_ loop: sending TransferLoop) throws(TransportError) -> Thread {
        do throws(SystemError) {
            return try Thread(named: "http-client") {
                // All signals are for the program's other threads, also SIGPIPE: libcurl does not ignore it, because of
                // CURLOPT_NOSIGNAL.
                Thread.blockSignals()
                loop.run()
            }
        } catch {
            throw TransportError(.unreachable, detail: "no thread: \(error)")
        }
    }

    /// Sends a request and waits for the complete answer; cancelling the task ends the transfer.
    ///
    /// - Parameter request: Its URL is https, or http to `localhost` or a literal loopback address.
    /// - Returns: The answer with its body, whatever its status.
    /// - Throws: `TransportError`; `.busy` immediately if `maximumCalls` are in progress.
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

    /// Ends calls in progress with `.cancelled`, closes all connections and waits for the thread to end.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.end.wait()
        // Joining takes almost no time, because the thread has done its last work.
        let thread = self.thread.withLock { $0.take() }
        thread?.join()
    }

    /// The limits of every call.
    package struct Configuration: Sendable {
        /// For name resolution, connecting and the TLS handshake together.
        package var connectTimeout: Duration = .seconds(5)
        /// For the whole call, from sending to the last byte.
        package var totalTimeout: Duration = .seconds(10)
        /// Bytes of the body of an answer, after decoding.
        package var maximumBodyBytes = 1 << 20
        /// Bytes of the status lines and header fields of an answer together, including interim answers.
        package var maximumHeaderBytes = 64 << 10
        /// Header fields of an answer, including interim answers.
        package var maximumHeaderFields = 128
        /// Calls in progress; one more fails with `.busy`.
        package var maximumCalls = 64
        /// Connections kept open between calls.
        package var maximumIdleConnections = 16
        /// A PEM file of the certificate authorities to trust *instead of* those of the system; nil for the system's.
        ///
        /// So a private authority can be the only one.
        package var authorityFile: String?
        /// A PEM file of certificate authorities to trust *in addition*; nil for none.
        package var extraAuthorityFile: String?
        /// Both files together, for libcurl, which caches the authorities of one file.
        private var authorities: MemoryFile?
        /// The `User-Agent` of requests that do not state one.
        package var userAgent = "linkedin-signin"
        /// Whether an answer says when the certificate of its server ends.
        package var reportsCertificates = false
        /// Whether calls may use HTTP/2.
        package var usesHTTP2 = true

        package init() {}

        /// The configuration with one file of all certificate authorities; a file that changes later has no effect.
        ///
        /// - Throws: `TransportError` if a file cannot be read.
        fileprivate func joiningAuthorities() throws(TransportError) -> Self {
            guard let extraAuthorityFile else { return self }
            let files = [authorityFile ?? Self.systemAuthorityFile, extraAuthorityFile].compactMap(\.self)
            var content: [UInt8] = []
            do throws(SystemError) {
                for file in files { content += try ReadableFile(file).contents(limit: 16 << 20) + Array("\n".utf8) }
                let joined = try MemoryFile(named: "authorities", holding: content)
                var result = self
                (result.authorities, result.authorityFile) = (joined, joined.path)
                return result
            } catch {
                throw TransportError(.unreachable, detail: "cannot read certificate authorities: \(error)")
            }
        }

        /// The file of the system's certificate authorities, which libcurl reads once a day; nil if the system has none.
        package static let systemAuthorityFile: String? = {
            // unsafe because it is a C string, a constant of libcurl.
            guard let path = unsafe ccurl_authority_file() else { return nil }
            return unsafe String(cString: path)
        }()
    }

    /// Whether the environment names a proxy that is itself reached over TLS.
    ///
    /// libcurl reports the end of the proxy's TLS as it reports that of the server's, so neither proves the end of a body.
    static let usesProxyOverTLS = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { name in
        Environment.variable(name)?.lowercased().hasPrefix("https:") ?? false
    }

    /// An event of a call, for the log.
    package enum Event: Sendable, Equatable {
        /// A request to a host is sent again, on another connection.
        case repeats(host: String, Reason)

        /// Why a request may be sent again.
        package enum Reason: String, Sendable {
            /// The server has not processed it: it refused the stream, or closed the connection before (RFC 9113 §8.7).
            case streamRefused = "stream-refused"
            /// The connection ended without an answer, and the method is idempotent (RFC 9110 §9.2.2).
            case connectionEnded = "connection-ended"
        }
    }

    /// Receives an event on the transport's thread; it must not block.
    package typealias Observer = @Sendable (Event) -> Void
}
