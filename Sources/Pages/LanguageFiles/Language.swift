internal import Encoding

/// A language of the pages, identified by its BCP 47 tag.
package struct Language: Sendable, Hashable, CustomStringConvertible {
    /// The tag for `lang` and `Content-Language`: ASCII letters, digits and hyphens.
    package let tag: String

    /// Returns nil for a text that does not have the form of a tag (RFC 5646 §2.1).
    package init?(_ tag: String) {
        let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard tag.utf8.count <= 35, let primary = subtags.first, (2...8).contains(primary.count),
            primary.allSatisfy(\.isASCIILetter),
            subtags.dropFirst().allSatisfy({
                (1...8).contains($0.count) && $0.allSatisfy(\.isASCIIAlphanumeric)
            })
        else { return nil }
        self.tag = tag
    }

    init(known tag: String) {
        self.tag = tag
    }

    package static let english = Language(known: "en")

    /// Every language in the binary.
    package static let builtIn = BuiltInLanguage.all.map { Language(known: $0.tag) }

    package var description: String { tag }
}
