package import HTTP

package import struct FoundationEssentials.Date

/// One line of the log: what happened, to which request, and why.
///
/// The log contains only what this type can hold. It has no member for a code, token, state, secret or cookie, and
/// event and field names are literals in the source.
package struct LogEvent: Sendable {
    package typealias Field = (name: StaticString, value: String)

    package let level: LogLevel
    package let name: StaticString
    package let request: RequestID?
    /// A stable reason code, to search for and to count.
    package let reason: String?
    package let fields: [Field]

    package init(
        _ level: LogLevel,
        _ name: StaticString,
        request: RequestID? = nil,
        reason: String? = nil,
        fields: [Field] = []
    ) {
        self.level = level
        self.name = name
        self.request = request
        self.reason = reason
        self.fields = fields
    }

    /// Creates an event about a request, with its reason and, if known, the member's subject and the client's address.
    package init(
        _ level: LogLevel,
        _ name: StaticString,
        of request: Request,
        reason: String? = nil,
        subject: String? = nil,
        fields: [Field] = []
    ) {
        let sender: [Field] = [("subject", subject ?? ""), ("remote", request.remoteAddress)]
        self.init(level, name, request: request.id, reason: reason, fields: sender + fields)
    }

    /// Returns the line without its line break: `time=… level=… event=… request=… reason=… subject=… remote=…`, then
    /// the other fields.
    ///
    /// Unknown parts are left out.
    package func line(at time: Date) -> String {
        var line = "time=\(time.formatted(.iso8601)) level=\(level.rawValue) event=\(name)"
        if let request { line += " request=\(request)" }
        if let reason { line += " reason=\(LogText.quoted(reason))" }
        for field in fields where !field.value.isEmpty { line += " \(field.name)=\(LogText.quoted(field.value))" }
        return line
    }
}

/// The severity of a log line.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug
    case info
    case warning
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
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
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            quoted += escaped(scalar)
        }
        return quoted + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            "\\u{\(String(scalar.value, radix: 16))}"
        default:
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
    }
}
