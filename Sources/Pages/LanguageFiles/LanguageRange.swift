internal import Encoding

/// One language range with its weight in thousandths (RFC 9110 §12.4.2, RFC 4647 §2.1).
struct LanguageRange {
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
