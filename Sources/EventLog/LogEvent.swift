package import HTTP
package import Sessions

/// One line of the log: what happened, to which request, and why.
///
/// The log contains only what this type can hold. It has no member for a code, token, state, secret or cookie, and
/// event and field names are literals in the source.
package struct LogEvent: Sendable {
    package typealias Field = (name: StaticString, value: String)

    package let level: LogLevel
    package let name: EventName
    package let request: RequestID?
    /// A stable reason code, to search for and to count.
    package let reason: String?
    package let fields: [Field]

    package init(
        _ level: LogLevel,
        _ name: EventName,
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

    /// Creates an event about a request, with its reason and, if known, the member and the client's address.
    package init(
        _ level: LogLevel,
        _ name: EventName,
        of request: Request,
        reason: String? = nil,
        member: Member? = nil,
        fields: [Field] = []
    ) {
        let sender: [Field] = [("subject", member?.uniqueSubject ?? ""), ("remote", request.remoteAddress)]
        self.init(level, name, request: request.id, reason: reason, fields: sender + fields)
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
