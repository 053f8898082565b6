internal import Encoding

/// Chooses the language of a response (RFC 9110 §12.5.4, RFC 4647).
struct Negotiation: Sendable {
    private let available: [Available]

    /// - Parameter languages: The available languages; the first is the default.
    init(_ languages: [Language]) {
        available = languages.map(Available.init)
    }

    /// Returns the index of the best language, by quality value, then by the order in the field.
    ///
    /// A range matches every language with the same primary subtag: `de-AT` matches German. Chinese ranges must also
    /// match the script: `zh-TW`, `zh-HK` and `zh-MO` mean Traditional Chinese, other regions and plain `zh` mean
    /// Simplified Chinese. `*` matches every other language. Invalid ranges are ignored.
    ///
    /// - Parameter acceptLanguage: The value of the field; only its first 32 ranges within 1,024 bytes are read.
    /// - Returns: A valid index.
    func preferred(acceptLanguage: String?) -> Int {
        guard let field = acceptLanguage else { return 0 }
        let ranges = Substring(field.utf8.prefix(1_024)).split(separator: ",").prefix(32).compactMap(LanguageRange.init)
        let wildcard = ranges.first { $0.subtags == ["*"] }
        var best: Choice?
        for (index, language) in available.enumerated() {
            let named = ranges.enumerated().compactMap { position, range in
                language.likeness(to: range).map {
                    Choice(index: index, weight: range.weight, position: position, likeness: $0)
                }
            }
            let other = wildcard.map { Choice(index: index, weight: $0.weight, position: ranges.count, likeness: 0) }
            let choice = named.reduce(named.first) { $1.isBetter(than: $0) ? $1 : $0 } ?? other
            if let choice, choice.weight > 0, choice.isBetter(than: best) { best = choice }
        }
        return best?.index ?? 0
    }

    private struct Choice {
        let index: Int
        let weight: Int
        let position: Int
        let likeness: Int

        func isBetter(than other: Choice?) -> Bool {
            guard let other else { return true }
            return (weight, -position, likeness) > (other.weight, -other.position, other.likeness)
        }
    }

    private struct Available: Sendable {
        private let subtags: [String]

        init(_ language: Language) {
            subtags = language.tag.lowercased().split(separator: "-").map(String.init)
        }

        /// Returns the number of leading subtags in common with a range; nil if the range does not match.
        func likeness(to range: LanguageRange) -> Int? {
            guard let primary = range.subtags.first, primary == subtags.first else { return nil }
            if primary == "zh", LanguageRange.isTraditional(subtags) != LanguageRange.isTraditional(range.subtags) {
                return nil
            }
            return zip(subtags, range.subtags).prefix { $0 == $1 }.count
        }
    }
}

/// One language range with its weight in thousandths (RFC 9110 §12.4.2, RFC 4647 §2.1).
private struct LanguageRange {
    /// In lower case; never empty.
    let subtags: [String]
    let weight: Int

    /// Returns nil for an invalid range.
    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingLineBlanks }
        guard let tag = parts.first, !tag.isEmpty, parts.count <= 2 else { return nil }
        guard let weight = parts.count == 1 ? 1_000 : Self.weight(parts[1]) else { return nil }
        subtags = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard !subtags.contains("") else { return nil }
        self.weight = weight
    }

    /// Whether the subtags of a Chinese language mean traditional characters.
    ///
    /// A script takes precedence over a region: `zh-Hans-TW` means simplified characters.
    static func isTraditional(_ subtags: [String]) -> Bool {
        if subtags.contains("hans") { return false }
        return subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
    }

    /// Parses `q=` and a number from 0 to 1 with at most three decimals; returns nil for anything else.
    private static func weight(_ parameter: Substring) -> Int? {
        guard parameter.lowercased().hasPrefix("q=") else { return nil }
        let number = parameter.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = number.count == 2 ? number[1] : ""
        guard let whole = number.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
            fraction.utf8.allSatisfy(\.isASCIIDigit),
            let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.utf8.count))
        else { return nil }
        let weight = (whole == "1" ? 1_000 : 0) + thousandths
        return weight <= 1_000 ? weight : nil
    }
}
