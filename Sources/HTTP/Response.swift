/// A response: status, header fields, body.
package struct Response: Sendable, Equatable {
    package var status: Status
    package var headers: Headers
    package var body: [UInt8]
    /// Whether the header is another program's, for which the web server has a larger buffer in this place.
    package var hasForeignHeader = false

    package init(_ status: Status, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
