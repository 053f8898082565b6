/// A number that ties a log line to a request and to the page its visitor saw; it carries no meaning and no secret.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private let value: UInt64

    package init(_ value: UInt64 = .random(in: 0...UInt64.max)) {
        self.value = value
    }

    /// Sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
