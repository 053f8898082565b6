import Encoding

/// The field `Authorization: Bearer lsi_…` (RFC 6750 §2.1), which scripts send to guarded locations.
///
/// A field with another scheme or another kind of token belongs to the application behind the guard.
package enum PersonalTokenField {
    /// The first characters of every personal token.
    package static let prefix = "lsi_"
    private static let scheme = Array("bearer".utf8)

    /// Whether a value of the field begins like one with a personal token.
    package static func matches(_ value: Span<UInt8>) -> Bool { tokenStart(in: value) != nil }

    /// What follows the scheme, if it begins like a personal token; nil for every other value.
    package static func token(in value: String) -> Substring? {
        tokenStart(in: value.utf8Span.span).map { value[value.utf8.index(value.startIndex, offsetBy: $0)...] }
    }

    /// The scheme is compared in any case, and spaces follow it (RFC 9110 §11.4).
    private static func tokenStart(in value: Span<UInt8>) -> Int? {
        guard value.count > scheme.count else { return nil }
        for index in scheme.indices where value[index] | 0x20 != scheme[index] { return nil }
        var start = scheme.count
        while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
        guard start > scheme.count, value.count - start >= prefix.utf8.count else { return nil }
        var index = start
        for byte in prefix.utf8 {
            guard value[index] == byte else { return nil }
            index += 1
        }
        return start
    }
}
