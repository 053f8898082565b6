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
        self.init(Array(content.utf8))
    }

    /// Returns nil for a language that is not in the binary.
    init?(embedded language: Language) {
        guard let texts = BuiltInLanguage.all.first(where: { $0.tag == language.tag })?.texts else { return nil }
        self.init(texts)
    }

    private init(_ content: [UInt8]) {
        var rest = content[...]
        var number = 0
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end].trimmingLineBlanks
            rest = rest[end...].dropFirst()
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            add(line, number: number)
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, number: Int) {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
            faults.append(Fault(line: number, reason: "is not \"key = text\""))
            return
        }
        let text = String(decoding: line[(equals + 1)...].trimmingLineBlanks, as: UTF8.self)
        var key = String(decoding: line[..<equals].trimmingLineBlanks, as: UTF8.self)
        var numbers: NumberSet?
        if key.utf8.last == UInt8(ascii: "]"), let bracket = key.utf8.firstIndex(of: UInt8(ascii: "[")) {
            numbers = NumberSet(key[key.index(after: bracket)...].dropLast())
            guard numbers != nil else {
                faults.append(
                    Fault(line: number, reason: "\(key) needs numbers such as 1 or 2-4,22-24 in brackets")
                )
                return
            }
            key = String(key[..<bracket])
        }
        guard !text.isEmpty else {
            faults.append(Fault(line: number, reason: "\(key) has no text"))
            return
        }
        let known = forms[key] ?? []
        guard !known.contains(where: { $0.numbers == numbers }) else {
            faults.append(Fault(line: number, reason: "\(key) is defined twice"))
            return
        }
        forms[key] = known + [Form(numbers: numbers, text: text, line: number)]
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces, tabs and carriage returns at both ends.
    fileprivate var trimmingLineBlanks: ArraySlice<UInt8> {
        trimmed { $0.isASCIIBlank || $0 == UInt8(ascii: "\r") }
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
