/// An answer and the way it is to be delivered.
struct Response: Sendable {
    enum Body: Sendable {
        case json(JSON)
        case bytes([UInt8])
    }

    /// The protocol's name and version in the first line.
    var version = "HTTP/1.1"
    var status: Int
    var headers: [String: String]
    /// Headers beside those, written as they are, repeated names included.
    var moreHeaders: Fields = [:]
    var body: Body
    var delivery = Delivery.whole

    init(_ status: Int, headers: [String: String] = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ value: JSON, status: Int = 200) -> Response {
        Response(status, headers: ["Content-Type": "application/json; charset=UTF-8"], body: .json(value))
    }

    static func text(_ text: String, type: String, status: Int = 200) -> Response {
        Response(status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }

    static func redirect(to location: String) -> Response {
        Response(302, headers: ["Location": location])
    }

    var bytes: [UInt8] {
        switch body {
        case .json(let value): Array(value.text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}
