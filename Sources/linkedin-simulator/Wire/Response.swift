/// An answer and how it is delivered.
struct Response: Sendable {
    enum Body: Sendable {
        case json(JSON)
        case bytes([UInt8])
    }

    /// Protocol name and version in the first line.
    var version = "HTTP/1.1"
    var status: Int
    var headers: [String: String]
    /// More headers, written unchanged, including repeated names.
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

/// How an answer is sent.
enum Delivery: Sendable {
    /// Completely, with its length.
    case whole
    /// Completely, in chunks without a length.
    case chunked
    /// One byte at a time, with this pause before each.
    case dripped(Duration)
    /// With a length that is too large; then the connection ends.
    case overstated(by: Int)
    /// In chunks without the last one; then the connection ends.
    case unfinishedChunks
    /// Not at all; the connection stays open until the client closes it.
    case never
    /// Not at all; the connection ends.
    case dropped
}
