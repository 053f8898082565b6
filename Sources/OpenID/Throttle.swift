import HTTP

/// What a provider says with 429 (RFC 6585 §4): whose calls are too many, and for how long to make none.
package struct Throttle: Sendable, Equatable {
    /// LinkedIn counts the calls for each member and for the whole application. Its newer messages tell which, as in
    /// `Resource level throttle APPLICATION DAY limit for calls to this resource is reached.`
    package enum Limit: Sendable {
        case application
        case member
        case unnamed
    }

    package let limit: Limit
    /// Seconds, 1 to 86,400, as limits begin anew every day; nil if the provider did not say, or nothing sensible.
    package let retryAfter: Int?
}

extension Throttle {
    private static let longest = 86_400

    init(_ response: ClientResponse) {
        let words = JSON(parsing: response.body)?["message"]?.stringValue?.split(separator: " ") ?? []
        limit = words.contains("APPLICATION") ? .application : words.contains("MEMBER") ? .member : .unnamed
        retryAfter = response.headers[.retryAfter].flatMap(Self.seconds)
    }

    /// A number of seconds (RFC 9110 §10.2.3); a date is left aside, as LinkedIn sends none.
    private static func seconds(_ field: String) -> Int? {
        guard field.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(field),
            (1...longest).contains(seconds)
        else { return nil }
        return seconds
    }
}
