/// Comparison of secrets.
package enum ConstantTime {
    /// Whether two texts are the same bytes, in a time that depends on the second one's length alone.
    ///
    /// - Parameters:
    ///   - candidate: what came from outside.
    ///   - expected: what it must be.
    /// - Returns: true for identical bytes; canonically equivalent spellings are different.
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
    /// Compares code point by code point (RFC 8259 §8.3), where `==` would take U+212A for the letter K.
    func isIdentical(to other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
