import EventLog
import HTTP
import Pages
package import Sessions

extension LogEvent {
    /// A failure of the store, with its reason code.
    package init(_ error: StoreError, while name: StaticString) {
        self.init(error.level, name, reason: error.reason, fields: [("detail", error.detail)])
    }

    /// A failure of the store, which a request met.
    init(_ error: StoreError, while name: StaticString = "store-failed", of request: Request, subject: String? = nil) {
        let fields: [Field] = [("detail", error.detail)]
        self.init(error.level, name, of: request, reason: error.reason, subject: subject, fields: fields)
    }
}

extension StoreError {
    /// The reason code of the log.
    var reason: String { "store-\(code.rawValue)" }

    /// A flood is no fault of the store's.
    fileprivate var level: LogLevel { code == .busy ? .warning : .error }
}
