/// A path and what answers there.
struct Route: Sendable {
    typealias Handler = @Sendable (Request) async throws -> Response

    /// Nil for the control paths, which have neither faults nor a journal.
    let endpoint: EndpointName?
    let method: String
    /// A path, or the beginning of one when it ends with a slash.
    let path: String
    let handle: Handler

    init(_ endpoint: EndpointName?, _ method: String, _ path: String, _ handle: @escaping Handler) {
        self.endpoint = endpoint
        self.method = method
        self.path = path
        self.handle = handle
    }

    func matches(_ requested: String) -> Bool {
        path.hasSuffix("/") ? requested.hasPrefix(path) && requested != path : requested == path
    }

    func allows(_ requested: String) -> Bool {
        requested == method || (requested == "HEAD" && method == "GET")
    }
}
