/// Sends requests to other servers; the protocol code uses the network only through it.
package protocol Transport: Sendable {
    /// Sends a request and waits for the complete answer, whatever its status; a redirect is an answer too.
    ///
    /// - Throws: `TransportError` if there is no complete answer within the limits of the transport.
    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse
}

/// The reason why there is no answer.
package struct TransportError: Error, Equatable {
    package enum Code: String, Sendable {
        /// The URL is invalid, or neither https nor loopback: nothing was sent.
        case refusedURL = "refused-url"
        /// The name did not resolve, or no server accepted the connection: nothing was sent.
        case unreachable
        /// The server's certificate or handshake was rejected: nothing was sent.
        case untrusted
        /// The connection or the whole call timed out.
        case timedOut = "timed-out"
        /// The answer was larger than the limit.
        case tooLarge = "too-large"
        /// The answer ended early or was not HTTP.
        case malformed
        /// Too many calls are in progress: nothing was sent.
        case busy
        /// The program is stopping.
        case cancelled
    }

    /// Why a server is not trusted.
    package enum TrustFault: Sendable, CaseIterable {
        case expired, notYetValid, otherHost, selfSigned, unknownAuthority
        /// The server demands a certificate of the client.
        case clientCertificateMissing
        /// The TLS handshake failed before a certificate was judged.
        case handshakeFailed
    }

    package let code: Code
    /// A sentence for the operator, without any part of the request or the answer.
    package let detail: String
    /// Why the server is not trusted; nil for another error, and for a reason that only the detail names.
    package var trustFault: TrustFault?
    /// Whether no byte of the request was sent, so that a repetition is harmless.
    package var isUnsent: Bool
    /// Whether the name of the server, or of the proxy, did not resolve.
    package let isUnresolved: Bool

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - detail: A sentence for the operator.
    ///   - isUnsent: Whether nothing was sent; nil to derive it from the code.
    ///   - isUnresolved: Whether a name did not resolve.
    package init(_ code: Code, detail: String = "", isUnsent: Bool? = nil, isUnresolved: Bool = false) {
        self.code = code
        self.detail = detail
        self.isUnresolved = isUnresolved
        self.isUnsent = isUnsent ?? [.refusedURL, .unreachable, .untrusted, .busy].contains(code)
    }
}

/// A request to another server.
package struct ClientRequest: Sendable {
    package var method: Method
    /// An absolute URL.
    package var url: String
    package var headers: Headers
    package var body: [UInt8]

    package init(_ method: Method, _ url: String, headers: Headers = Headers(), body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The complete answer of another server.
package struct ClientResponse: Sendable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]
    /// When the certificate of the server ends, in seconds since 1970; nil unless the transport was told to look.
    package var certificateEnd: Int?

    package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
