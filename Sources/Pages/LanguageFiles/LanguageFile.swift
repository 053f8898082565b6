internal import Encoding

/// A language file: one `key = text` in each line.
package struct LanguageFile: Sendable {
    /// A text for some numbers; a form without numbers is for all other numbers.
    struct Form: Sendable {
        let numbers: NumberSet?
        let text: String
        let line: Int
    }

    struct Fault: Sendable, Hashable {
        let line: Int
        let reason: String
    }

    /// The forms of each key; never an empty list.
    private(set) var forms: [String: [Form]] = [:]
    private(set) var faults: [Fault] = []

    init(_ content: String) {
        // Split by bytes: splitting seven files by characters would slow down the start noticeably.
        let lines = content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = Substring(line).trimmingLineBlanks
            guard let first = line.utf8.first, first != UInt8(ascii: "#") else { continue }
            add(line, number: index + 1)
        }
    }

    private mutating func add(_ line: Substring, number: Int) {
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            faults.append(Fault(line: number, reason: "is not \"key = text\""))
            return
        }
        let text = line[line.utf8.index(after: equals)...].trimmingLineBlanks
        var key = line[..<equals].trimmingLineBlanks
        var numbers: NumberSet?
        if key.hasSuffix("]"), let bracket = key.firstIndex(of: "[") {
            numbers = NumberSet(key[key.index(after: bracket)...].dropLast())
            guard numbers != nil else {
                faults.append(
                    Fault(line: number, reason: "\(key) needs numbers such as 1 or 2-4,22-24 in brackets")
                )
                return
            }
            key = key[..<bracket]
        }
        guard !text.isEmpty else {
            faults.append(Fault(line: number, reason: "\(key) has no text"))
            return
        }
        if forms[String(key)]?.contains(where: { $0.numbers == numbers }) == true {
            faults.append(Fault(line: number, reason: "\(key) is defined twice"))
            return
        }
        forms[String(key), default: []].append(Form(numbers: numbers, text: String(text), line: number))
    }
}

extension Substring {
    /// Returns the text without spaces, tabs and carriage returns at both ends.
    ///
    /// It compares bytes, because a space and a combining mark form one `Character`.
    var trimmingLineBlanks: Substring {
        Substring(utf8.trimmed { $0.isASCIIBlank || $0 == UInt8(ascii: "\r") })
    }
}

/// A set of numbers, written as `1`, `2-4`, or several of these separated by commas.
struct NumberSet: Sendable, Equatable {
    private let ranges: [ClosedRange<Int>]

    /// Returns nil for an invalid text.
    init?(_ text: Substring) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.trimmingLineBlanks.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let low = ends.first ?? nil, let high = ends.last ?? nil, low <= high else {
                return nil
            }
            ranges.append(low...high)
        }
        self.ranges = ranges
    }

    func contains(_ number: Int) -> Bool {
        ranges.contains { $0.contains(number) }
    }
}
