extension Language {
    /// The language to answer in, chosen by quality value, then by the order in the field (RFC 9110 §12.5.4).
    ///
    /// Any `en-…` means English. `zh` and its tags mean Simplified Chinese, but those of Traditional Chinese (`Hant`,
    /// `TW`, `HK`, `MO`) mean neither: there is no such text, and its reader's next choice, often plain `zh`, says
    /// better than we could what is second best. `*` means every language not named. Whatever cannot be read is passed
    /// over, and English answers whoever accepts nothing we have.
    ///
    /// - Parameter acceptLanguage: the field's value, any text; only its first 32 ranges within 1,024 bytes count.
    /// - Returns: always one that exists.
    package static func preferred(acceptLanguage: String?) -> Language {
        guard let field = acceptLanguage else { return .english }
        let ranges = Substring(field.utf8.prefix(1_024)).split(separator: ",").prefix(32).compactMap(LanguageRange.init)
        let wildcard = ranges.first { $0.subtags == ["*"] }
        var best: (language: Language, weight: Int, position: Int)?
        for language in allCases {
            let matches = ranges.enumerated().filter { language.matches($0.element) }
            let match = matches.max { $0.element.weight < $1.element.weight }
            guard let weight = match?.element.weight ?? wildcard?.weight, weight > 0 else { continue }
            let position = match?.offset ?? ranges.count
            if let best, (best.weight, -best.position) >= (weight, -position) { continue }
            best = (language, weight, position)
        }
        return best?.language ?? .english
    }

    private func matches(_ range: LanguageRange) -> Bool {
        switch self {
        case .english: range.subtags.first == "en"
        case .chinese: range.subtags.first == "zh" && !range.isTraditional
        }
    }
}

extension Language {
    /// One language range with its weight in thousandths (RFC 9110 §12.4.2, RFC 4647 §2.1).
    private struct LanguageRange {
        let subtags: [String]
        let weight: Int

        init?(_ text: Substring) {
            let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            guard let tag = parts.first, !tag.isEmpty, parts.count <= 2 else { return nil }
            guard let weight = parts.count == 1 ? 1_000 : Self.weight(parts[1]) else { return nil }
            subtags = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard !subtags.contains("") else { return nil }
            self.weight = weight
        }

        /// The script decides where there is one; `zh-Hans-TW` is Simplified.
        var isTraditional: Bool {
            if subtags.contains("hans") { return false }
            return subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
        }

        /// Reads `q=` with one digit and at most three behind the point, 0 to 1; nil for anything else.
        private static func weight(_ parameter: Substring) -> Int? {
            guard parameter.lowercased().hasPrefix("q=") else { return nil }
            let number = parameter.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let fraction = number.count == 2 ? number[1] : ""
            guard let whole = number.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
                fraction.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.utf8.count))
            else { return nil }
            let weight = (whole == "1" ? 1_000 : 0) + thousandths
            return weight <= 1_000 ? weight : nil
        }

        private static func trimmed(_ text: Substring) -> Substring {
            var text = text.drop { $0 == " " || $0 == "\t" }
            while text.last == " " || text.last == "\t" { text = text.dropLast() }
            return text
        }
    }
}
