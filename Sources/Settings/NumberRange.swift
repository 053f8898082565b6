import Encoding

/// The numbers that a setting accepts, and how operators write them.
enum NumberRange: Sendable, Hashable {
    case seconds(ClosedRange<Int>)
    case bytes(ClosedRange<Int>)
    case count(ClosedRange<Int>)
    case mode(ClosedRange<Int>)

    var range: ClosedRange<Int> {
        switch self {
        case .seconds(let range), .bytes(let range), .count(let range), .mode(let range): range
        }
    }

    /// Returns the number that a text means; nil for another text and for a number out of range.
    func read(_ text: String) -> Int? {
        let number =
            switch self {
            case .seconds: Quantity.seconds(text)
            case .bytes: Quantity.bytes(text)
            case .count: Int(text)
            case .mode: Int(text, radix: 8)
            }
        return number.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns a number as operators write it, with the largest unit that divides it.
    func text(_ number: Int) -> String {
        switch self {
        case .seconds: Quantity.text(number, units: Quantity.times)
        case .bytes: Quantity.text(number, units: Quantity.sizes)
        case .count: String(number)
        case .mode: "0" + String(number, radix: 8)
        }
    }

    /// The accepted numbers, such as `a time from 1m to 365d`.
    var description: String {
        let noun =
            switch self {
            case .seconds: "a time"
            case .bytes: "a size"
            case .count: "a number"
            case .mode: "an octal mode"
            }
        return "\(noun) from \(text(range.lowerBound)) to \(text(range.upperBound))"
    }
}
