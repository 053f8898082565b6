/// The network, as the protocol code sees it: one request out, one whole answer back.
package protocol Transport: Sendable {
    /// Sends a request and waits for the complete answer, whatever its status; redirects are answers too.
    ///
    /// - Throws: `TransportError` if there is no complete answer within the bounds of the transport.
    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse
}

/// Why there is no answer.
package struct TransportError: Error, Equatable {
    package enum Code: String, Sendable {
        /// The URL is none, or is not https and not loopback: nothing was sent.
        case refusedURL = "refused-url"
        /// The name did not resolve or nobody accepted the connection: nothing was sent.
        case unreachable
        /// The server's certificate or handshake was not acceptable: nothing was sent.
        case untrusted
        /// The time for connecting or for the whole call ran out.
        case timedOut = "timed-out"
        /// The answer went over the size cap.
        case tooLarge = "too-large"
        /// The answer broke off or was no HTTP.
        case malformed
        /// Too many calls are under way: nothing was sent.
        case busy
        /// The program is stopping.
        case cancelled
    }

    package let code: Code
    /// A sentence for the operator; never a part of request or answer.
    package let detail: String
    /// Whether no byte of the request has left, so that sending it again cannot repeat anything.
    package let isUnsent: Bool

    /// An error of a code, which says by itself whether something was sent, unless that is known better.
    package init(_ code: Code, detail: String = "", isUnsent: Bool? = nil) {
        self.code = code
        self.detail = detail
        self.isUnsent = isUnsent ?? [.refusedURL, .unreachable, .untrusted, .busy].contains(code)
    }
}
