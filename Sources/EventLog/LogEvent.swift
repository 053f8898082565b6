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
