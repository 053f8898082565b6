package import HTTP

package import struct FoundationEssentials.Date

/// One line of the log: what happened, to which request, and why.
///
/// What may be logged is what this type can hold. There is no member for a code, token, state, secret or cookie, and
/// the texts of `name` and the field names stand in the source.
package struct LogEvent: Sendable {
    package typealias Field = (name: StaticString, value: String)

    package let level: LogLevel
    package let name: StaticString
    package let request: RequestID?
    /// A reason code, the same for the same cause, to search and to count.
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

    /// What happened to a request: beside its reason stand, as far as they are known, who sent it and from where.
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

    /// The line, without its end: `time=… level=… event=… request=… reason=… subject=… remote=…` and what else there is.
    ///
    /// What is not known is left out.
    package func line(at time: Date) -> String {
        var line = "time=\(time.formatted(.iso8601)) level=\(level.rawValue) event=\(name)"
        if let request { line += " request=\(request)" }
        if let reason { line += " reason=\(LogText.quoted(reason))" }
        for field in fields where !field.value.isEmpty { line += " \(field.name)=\(LogText.quoted(field.value))" }
        return line
    }
}
