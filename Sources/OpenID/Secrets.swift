/// Compares secrets.
package enum ConstantTime {
    /// Whether two texts have the same bytes; takes a time that depends only on the length of the second text.
    ///
    /// - Parameters:
    ///   - candidate: the text that was received.
    ///   - expected: the text that it must be.
    /// - Returns: true for identical bytes; canonically equivalent texts with other bytes are different.
    package static func equal(_ candidate: String, _ expected: String) -> Bool {
        let candidate = Array(candidate.utf8)
        var difference: UInt8 = candidate.count == expected.utf8.count ? 0 : 1
        for (index, byte) in expected.utf8.enumerated() {
            difference |= byte ^ (index < candidate.count ? candidate[index] : 0)
        }
        return difference == 0
    }
}

extension String {
    /// Compares code points (RFC 8259 §8.3); `==` would treat U+212A and the letter K as equal.
    package func isIdentical(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

/// A value whose content must not be logged: neither its description nor its mirror shows it.
package protocol Unprintable: CustomStringConvertible, CustomReflectable {}

extension Unprintable {
    package var description: String { "\(Self.self)(<redacted>)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
