import Encoding

/// An e-mail address for comparison with rules: local part and domain in lower case.
///
/// Only printable ASCII with exactly one `@` is accepted. An address that two programs could split differently, or that
/// contains a character that folds to an ASCII letter (U+212A to `k`), matches no rule.
package struct EmailAddress: Hashable, Sendable {
    package let local: String
    package let domain: String

    /// Returns nil for a text that is not such an address.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy(Self.isPlain),
            let local = Self.folded(parts[0]), let domain = Self.domain(parts[1])
        else { return nil }
        self.local = local
        self.domain = domain
    }

    /// Returns a domain in lower case; nil for a text that is not a domain.
    package static func domain(_ text: some Collection<UInt8>) -> String? {
        guard text.first != UInt8(ascii: "."), text.allSatisfy(isDomainByte) else { return nil }
        return folded(text)
    }

    private static func folded(_ bytes: some Collection<UInt8>) -> String? {
        bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).lowercased()
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIIVisible && !"\"(),:;<>[]\\".utf8.contains(byte)
    }
}
