/// Reads and writes numbers with a unit, as operators write them.
package enum Quantity {
    /// A letter after a number, and what it multiplies the number by.
    package typealias Unit = (letter: Character, size: Int)

    package static let times: [Unit] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    package static let sizes: [Unit] = [("M", 1 << 20), ("K", 1 << 10)]

    /// Reads `90`, `90s`, `15m`, `2h` or `30d` as seconds.
    package static func seconds(_ text: String) -> Int? {
        scaled(text, units: times)
    }

    /// Reads `4096`, `256K` or `1M` as bytes.
    package static func bytes(_ text: String) -> Int? {
        scaled(text, units: sizes)
    }

    /// Returns a number with the largest unit that divides it; 0 has no unit.
    package static func text(_ number: Int, units: [Unit]) -> String {
        guard number != 0, let unit = units.first(where: { number.isMultiple(of: $0.size) }) else {
            return String(number)
        }
        return "\(number / unit.size)\(unit.letter)"
    }

    private static func scaled(_ text: String, units: [Unit]) -> Int? {
        let unit = text.last.flatMap { letter in units.first { $0.letter == letter } }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits) else {
            return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit?.size ?? 1)
        return overflow ? nil : product
    }
}
