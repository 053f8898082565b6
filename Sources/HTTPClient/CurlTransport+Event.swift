extension CurlTransport {
    /// What happened on the way to an answer, for the log.
    package enum Event: Sendable, Equatable {
        /// A request to a host is sent again, on another connection.
        case repeats(host: String, Reason)

        /// Why a request may be sent again.
        package enum Reason: String, Sendable {
            /// The server has not processed it: it refused the stream, or said goodbye before (RFC 9113 §8.7).
            case streamRefused = "stream-refused"
            /// The connection ended without an answer, and the method is idempotent (RFC 9110 §9.2.2).
            case connectionEnded = "connection-ended"
        }
    }

    /// Takes an event on the transport's own thread; it must not block.
    package typealias Observer = @Sendable (Event) -> Void
}
