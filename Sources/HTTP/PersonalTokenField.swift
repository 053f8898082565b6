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
    ///
    /// With other white space, or with white space before the scheme, the result is the whole value, which is not a token:
    /// an application could read it as one.
    private static func tokenStart(in value: Span<UInt8>) -> Int? {
        let begin = pastSpace(in: value, from: 0)
        let end = begin + scheme.count
        guard value.count > end else { return nil }
        for index in scheme.indices where value[begin + index] | 0x20 != scheme[index] { return nil }
        let start = pastSpace(in: value, from: end)
        guard start > end, value.count - start >= prefix.utf8.count else { return nil }
        var index = start
        for byte in prefix.utf8 {
            guard value[index] == byte else { return nil }
            index += 1
        }
        let isPlain = begin == 0 && (end..<start).allSatisfy { value[$0] == UInt8(ascii: " ") }
        return isPlain ? start : 0
    }

    /// The index after white space, which is a space or one of the controls from tab to carriage return.
    private static func pastSpace(in value: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < value.count {
            guard value[index] == UInt8(ascii: " ") || (0x09...0x0d).contains(value[index]) else { break }
            index += 1
        }
        return index
    }
}
