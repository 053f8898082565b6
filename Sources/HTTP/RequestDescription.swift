/// The parts of a request that the program received, for `linkedin-signin doctor`: names and sizes, and no value.
package struct RequestDescription: Codable, Sendable, Equatable {
    /// How often each CGI meta-variable arrived.
    package let variables: [String: Int]
    /// Bytes of the query.
    package let query: Int
    /// Bytes of the body.
    package let body: Int
    /// Whether the web server says that the client is on this machine.
    package let isFromLoopback: Bool
    /// Hashes of the settings of the program, sealed with the server key; nil in an earlier version.
    package let settings: String?

    package init(_ request: Request, settings: String) {
        variables = request.variableCounts
        query = request.query.utf8.count
        body = request.body.count
        self.settings = settings
        isFromLoopback = Host.isLoopback(request.remoteAddress)
    }
}
