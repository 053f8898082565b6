package import EventLog
import HTTP
import OpenID
package import Sessions

extension LogEvent {
    /// Creates the event for a failure of the store.
    package init(_ error: StoreError, while name: EventName) {
        self.init(error.level, name, reason: error.reason, fields: [("detail", error.detail)])
    }

    /// Creates the event for a failure of the store during a request.
    init(_ error: StoreError, while name: EventName = .storeFailed, of request: Request, member: Member? = nil) {
        let fields: [Field] = [("detail", error.detail)]
        self.init(error.level, name, of: request, reason: error.reason, member: member, fields: fields)
    }

    /// Creates the event for a failed call to the provider.
    init(_ level: LogLevel, _ name: EventName, of request: Request, because error: OpenIDError, member: Member? = nil) {
        let fields: [Field] = [("detail", error.logDetail)]
        self.init(level, name, of: request, reason: error.code.rawValue, member: member, fields: fields)
    }
}

extension StoreError {
    /// The reason code in the log.
    var reason: String { Self.reasonPrefix + code.rawValue }

    private static let reasonPrefix = "store-"

    /// Whether a reason code is that of a failure of the store.
    static func isReason(_ text: String) -> Bool { text.hasPrefix(reasonPrefix) }

    /// Too many requests are not a fault of the store.
    fileprivate var level: LogLevel { code == .busy ? .warning : .error }
}
