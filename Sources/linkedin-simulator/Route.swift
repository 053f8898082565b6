/// A path and what answers there.
struct Route: Sendable {
    typealias Handler = @Sendable (Request) async throws -> Response

    /// Nil for the control paths, which have neither faults nor a journal.
    let endpoint: EndpointName?
    let method: String
    /// A path; `*` at its end stands for one character or more.
    let path: String
    let handle: Handler

    init(_ endpoint: EndpointName?, _ method: String, _ path: String, _ handle: @escaping Handler) {
        self.endpoint = endpoint
        self.method = method
        self.path = path
        self.handle = handle
    }

    func matches(_ requested: String) -> Bool {
        guard path.hasSuffix("*") else { return requested == path }
        return requested.utf8.count >= path.utf8.count && requested.hasPrefix(path.dropLast())
    }

    func allows(_ requested: String) -> Bool {
        requested == method || (requested == "HEAD" && method == "GET")
    }
}
