/// A request method; an open vocabulary, compared case-sensitively (RFC 9110 §9.1).
package struct Method: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = Method(rawValue: "GET")
    package static let head = Method(rawValue: "HEAD")
    package static let options = Method(rawValue: "OPTIONS")
    package static let post = Method(rawValue: "POST")
}
