/// A request of ours to another server.
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
