/// The texts of one language as its file has them: one `key = text` a line.
package struct LanguageFile: Sendable {
    /// A text for some numbers; for all others, if it names none.
    struct Form: Sendable {
        let numbers: NumberSet?
        let text: String
        let line: Int
    }

    struct Fault: Sendable, Hashable {
        let line: Int
        let reason: String
    }

    /// Never an empty list.
    private(set) var forms: [String: [Form]] = [:]
    private(set) var faults: [Fault] = []

    init(_ content: String) {
        // Bytes, because finding the characters of seven files would take a good part of the start.
        let lines = content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = Substring(line).trimmingBlanks()
            guard let first = line.utf8.first, first != UInt8(ascii: "#") else { continue }
            add(line, number: index + 1)
        }
    }

    private mutating func add(_ line: Substring, number: Int) {
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            faults.append(Fault(line: number, reason: "is not \"key = text\""))
            return
        }
        let text = line[line.utf8.index(after: equals)...].trimmingBlanks()
        var key = line[..<equals].trimmingBlanks()
        var numbers: NumberSet?
        if key.hasSuffix("]"), let bracket = key.firstIndex(of: "[") {
            numbers = NumberSet(key[key.index(after: bracket)...].dropLast())
            guard numbers != nil else {
                faults.append(
                    Fault(line: number, reason: "\(key) does not have numbers such as 1 or 2-4,22-24 in brackets")
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
            faults.append(Fault(line: number, reason: "\(key) is here twice"))
            return
        }
        forms[String(key), default: []].append(Form(numbers: numbers, text: String(text), line: number))
    }
}

extension Substring {
    /// The same without blanks around it.
    ///
    /// Bytes, because a blank and a combining mark form one `Character`.
    func trimmingBlanks() -> Substring {
        let isBlank: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
