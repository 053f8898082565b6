package import struct FoundationEssentials.Date

/// The form of a log line.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Pairs `name=value`.
    case logfmt
    /// One JSON object (RFC 8259).
    case json
}

extension LogEvent {
    /// Returns the line without its line break, with the parts that are known.
    ///
    /// The order is `time`, `level`, `event`, `request`, `reason`, `subject`, `remote`, then the other fields.
    package func line(at time: Date, as format: LogFormat = .logfmt) -> String {
        var line = LogLine(format)
        line.add("time", plain: time.formatted(.iso8601))
        line.add("level", plain: level.rawValue)
        line.add("event", plain: name.rawValue)
        if let request { line.add("request", plain: "\(request)") }
        if let reason { line.add("reason", reason) }
        for field in fields where !field.value.isEmpty { line.add(field.name, field.value) }
        return line.text
    }
}

extension LogEvent {
    /// What a web server's error log gets of the event: no more than its name, its reason and its request.
    package var note: String {
        var line = LogLine(.logfmt)
        line.add("event", plain: name.rawValue)
        if let request { line.add("request", plain: "\(request)") }
        if let reason { line.add("reason", reason) }
        return "linkedin-signin: \(line.text)"
    }
}

/// Builds one line.
private struct LogLine {
    /// The fields whose values are counts, sizes and other numbers.
    private static let numbers: Set<String> = [
        "abandoned", "bytes", "count", "damaged", "entries", "expired", "idle", "keys", "live", "newer", "pid",
        "repeated", "sessions", "status", "tokens", "uid", "unclaimed",
    ]

    private let format: LogFormat
    private var pairs = ""

    init(_ format: LogFormat) {
        self.format = format
    }

    var text: String { format == .json ? "{\(pairs)}" : pairs }

    /// Adds a value that contains only letters, digits, `-` and `:`.
    mutating func add(_ name: StaticString, plain value: String) {
        add(name, written: format == .json ? "\"\(value)\"" : value)
    }

    mutating func add(_ name: StaticString, _ value: String) {
        switch format {
        case .logfmt: add(name, written: LogText.quoted(value))
        case .json: add(name, written: isNumber(name, value) ? value : LogText.json(value))
        }
    }

    private mutating func add(_ name: StaticString, written value: String) {
        switch format {
        case .logfmt: pairs += "\(pairs.isEmpty ? "" : " ")\(name)=\(value)"
        case .json: pairs += "\(pairs.isEmpty ? "" : ",")\"\(name)\":\(value)"
        }
    }

    /// Whether a value can be written as a number; JSON allows no leading zero (RFC 8259 §6).
    private func isNumber(_ name: StaticString, _ value: String) -> Bool {
        Self.numbers.contains("\(name)") && Int(value).map(String.init) == value
    }
}

/// Makes untrusted text safe for a log that people read in a terminal.
private enum LogText {
    private static let maximumLength = 256

    /// Returns plain text unchanged, and other text in quotes, cut to the maximum length, with `\u{…}` for line breaks,
    /// control characters and invisible characters.
    static func quoted(_ text: String) -> String {
        let isPlain: (UInt8) -> Bool = { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        if !text.isEmpty, text.utf8.count <= maximumLength, text.utf8.allSatisfy(isPlain) { return text }
        return string(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// Returns a JSON string, cut to the maximum length, with `\uXXXX` for the same characters (RFC 8259 §7).
    static func json(_ text: String) -> String {
        string(text) { scalar in
            // Characters beyond U+FFFF are two escapes.
            scalar.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    private static func string(_ text: String, escape: (Unicode.Scalar) -> String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            if isInvisible(scalar) {
                quoted += escape(scalar)
            } else {
                quoted += scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
            }
        }
        return quoted + "\""
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
