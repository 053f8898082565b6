/// Classes of ASCII characters.
extension UInt8 {
    /// `0` to `9`.
    @inlinable package var isASCIIDigit: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }

    /// `A` to `Z` and `a` to `z`.
    @inlinable package var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }

    /// A letter or a digit.
    @inlinable package var isASCIIAlphanumeric: Bool {
        isASCIIDigit || isASCIILetter
    }

    /// A printable character other than the space.
    @inlinable package var isASCIIVisible: Bool {
        self > 0x20 && self < 0x7f
    }

    /// A control character: below the space, or DEL.
    @inlinable package var isASCIIControl: Bool {
        self < 0x20 || self == 0x7f
    }

    /// A space or a tab.
    @inlinable package var isASCIIBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }
}

extension BidirectionalCollection {
    /// The elements without those at both ends that meet a condition.
    @inlinable package func trimmed(while isDropped: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    package var trimmingBlanks: SubSequence {
        trimmed { $0 == " " || $0 == "\t" }
    }
}

extension String {
    /// Whether all bytes of the text meet a condition; faster than a look at the UTF-8 view.
    @inlinable
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool {
        let bytes = utf8Span.span
        for index in bytes.indices where !isAllowed(bytes[index]) { return false }
        return true
    }
}
