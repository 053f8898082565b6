/// Parses numbers with a unit, as operators write them.
package enum Quantity {
    /// Reads `90`, `90s`, `15m`, `2h` or `30d` as seconds.
    package static func seconds(_ text: String) -> Int? {
        scaled(text, units: ["s": 1, "m": 60, "h": 3600, "d": 86_400])
    }

    /// Reads `4096`, `256K` or `1M` as bytes.
    package static func bytes(_ text: String) -> Int? {
        scaled(text, units: ["K": 1024, "M": 1024 * 1024])
    }

    private static func scaled(_ text: String, units: [Character: Int]) -> Int? {
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits) else {
            return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : product
    }
}
