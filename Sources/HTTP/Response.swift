/// A response: status, header fields, body.
package struct Response: Sendable, Equatable {
    package var status: Status
    package var headers: Headers
    package var body: [UInt8]

    package init(_ status: Status, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
