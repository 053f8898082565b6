/// Reads the directives of one file of nginx.
///
/// It reads text that nginx would reject as far as possible.
package struct NginxParser {
    /// The maximum depth of blocks; deeper ones are read as if they were at this depth.
    private static let deepest = 64

    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var open: [NginxDirective] = []
    private var top: [NginxDirective] = []
    private var words: [(text: String, line: Int)] = []

    static func directives(in text: Substring, file: String) -> [NginxDirective] {
        var parser = NginxParser(bytes: Array(text.utf8), file: file)
        return parser.all()
    }

    private init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private mutating func all() -> [NginxDirective] {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0a, 0x20, 0x09, 0x0d: skip()
            case UInt8(ascii: "#"): skipComment()
            case UInt8(ascii: ";"): end(opensBlock: false)
            case UInt8(ascii: "{"): end(opensBlock: true)
            case UInt8(ascii: "}"): close()
            default: readWord()
            }
        }
        while !open.isEmpty { close() }
        return top
    }

    private mutating func skip() {
        if bytes[position] == 0x0a { line += 1 }
        position += 1
    }

    private mutating func skipComment() {
        while position < bytes.count, bytes[position] != 0x0a { position += 1 }
    }

    private mutating func readWord() {
        let start = line
        var word: [UInt8] = []
        if bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") {
            readQuoted(into: &word)
        } else {
            readPlain(into: &word)
        }
        words.append((String(decoding: word, as: UTF8.self), start))
    }

    private mutating func readQuoted(into word: inout [UInt8]) {
        let quote = bytes[position]
        position += 1
        while position < bytes.count, bytes[position] != quote {
            // nginx removes a backslash only before the quote and before another backslash.
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == quote || bytes[position + 1] == UInt8(ascii: "\\")
            {
                position += 1
            }
            word.append(bytes[position])
            skip()
        }
        position += 1
    }

    private mutating func readPlain(into word: inout [UInt8]) {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x0a, 0x20, 0x09, 0x0d, UInt8(ascii: ";"): return
            // In `${name}` the brace belongs to a variable; elsewhere it begins a block.
            case UInt8(ascii: "{") where word.last != UInt8(ascii: "$"): return
            case UInt8(ascii: "\\") where position + 1 < bytes.count:
                word.append(byte)
                position += 1
            default: break
            }
            word.append(bytes[position])
            skip()
        }
    }

    private mutating func end(opensBlock: Bool) {
        position += 1
        defer { words = [] }
        let name = words.first
        let place = SourcePlace(file: file, line: name?.line ?? line)
        let directive = NginxDirective(
            name: name?.text ?? "",
            arguments: words.dropFirst().map(\.text),
            place: place
        )
        if opensBlock, open.count < Self.deepest { return open.append(directive) }
        if name != nil { append(directive) }
    }

    private mutating func close() {
        position += 1
        words = []
        guard let directive = open.popLast() else { return }
        append(directive)
    }

    private mutating func append(_ directive: NginxDirective) {
        if open.isEmpty { top.append(directive) } else { open[open.count - 1].block.append(directive) }
    }
}
