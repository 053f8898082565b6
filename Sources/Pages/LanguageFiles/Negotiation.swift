/// Chooses the language to answer in (RFC 9110 §12.5.4, RFC 4647).
struct Negotiation: Sendable {
    private let available: [Available]

    /// - Parameter languages: what there is to choose from; the first answers where nothing fits.
    init(_ languages: [Language]) {
        available = languages.map(Available.init)
    }

    /// The index of the language to answer in, chosen by quality value, then by the order in the field.
    ///
    /// A range means every language with its primary subtag: `de-AT` means German. Of Chinese, the script decides, which
    /// a region implies: `zh-TW`, `zh-HK` and `zh-MO` mean Traditional Chinese, other regions and plain `zh` Simplified.
    /// `*` means every language not named. What cannot be read is ignored.
    ///
    /// - Parameter acceptLanguage: the field's value, any text; only its first 32 ranges within 1,024 bytes count.
    /// - Returns: always one that exists.
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
}

extension Negotiation {
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

        /// How well the language fits a range: the number of subtags that both begin with; nil if it does not fit.
        func likeness(to range: LanguageRange) -> Int? {
            guard let primary = range.subtags.first, primary == subtags.first else { return nil }
            if primary == "zh", LanguageRange.isTraditional(subtags) != LanguageRange.isTraditional(range.subtags) {
                return nil
            }
            return zip(subtags, range.subtags).prefix { $0 == $1 }.count
        }
    }
}
