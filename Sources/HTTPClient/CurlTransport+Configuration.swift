extension CurlTransport {
    /// The bounds of every call.
    package struct Configuration: Sendable {
        /// For name resolution, connecting and the TLS handshake together.
        package var connectTimeout: Duration = .seconds(5)
        /// For the whole call, from sending to the last byte: a total, not an idle time.
        package var totalTimeout: Duration = .seconds(10)
        /// For the body of an answer, after all decoding.
        package var maximumBodyBytes = 1 << 20
        /// For the status lines and header fields of an answer together, interim answers included.
        package var maximumHeaderBytes = 64 << 10
        /// For the header fields of an answer, interim answers included.
        package var maximumHeaderFields = 128
        /// Calls under way at once; one more is `.busy`.
        package var maximumCalls = 64
        /// Connections kept open between calls.
        package var maximumIdleConnections = 16
        /// A PEM file of the authorities to trust *instead of* the system's; nil for the system's.
        ///
        /// A private authority can so be the only one. Who wants both puts both into one file.
        package var authorityFile: String?
        /// The `User-Agent` of requests that do not name one.
        package var userAgent = "linkedin-signin"

        package init() {}
    }
}
