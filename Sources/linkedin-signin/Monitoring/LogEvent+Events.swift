import EventLog
import FastCGI
import HTTPClient
import SignIn

extension LogEvent {
    /// The log line of an event of the FastCGI server.
    init(_ event: ServerEvent) {
        switch event {
        case .peerRefused(let user):
            self.init(.warning, .peerRefused, reason: "user-not-allowed", fields: [("uid", String(user))])
        case .recordRefused(let reason):
            self.init(.warning, .peerRefused, reason: "record-refused", fields: [("detail", reason.rawValue)])
        case .timedOut(let stage):
            self.init(.warning, .peerTimedOut, reason: stage.rawValue)
        case .memoryExhausted:
            self.init(.error, .connectionDropped, reason: "memory")
        case .rejected(let request, let rejection, let remoteAddress):
            let fields: [Field] = [("remote", remoteAddress)]
            self.init(.warning, .requestRejected, request: request, reason: rejection.rawValue, fields: fields)
        case .handlerFailed(let request, let errorType):
            let fields: [Field] = [("error", errorType)]
            self.init(.error, .handlerFailed, request: request, reason: "internal-error", fields: fields)
        case .answerHeaderTooLarge(let request, let size):
            let fields: [Field] = [("bytes", String(size))]
            self.init(.error, .handlerFailed, request: request, reason: "header-size", fields: fields)
        case .acceptBackingOff(let errorName):
            self.init(.error, .acceptBackingOff, reason: errorName)
        case .acceptResumed:
            self.init(.info, .acceptResumed)
        case .signalIgnored(let signal):
            self.init(.info, .signalIgnored, reason: "no-effect", fields: [("signal", signal)])
        case .threadHung(let threads):
            self.init(.error, .threadHung, reason: threads.rawValue)
        case .threadResumed(let threads):
            self.init(.info, .threadResumed, reason: threads.rawValue)
        case .reloadRequested(let signal):
            self.init(.info, .reloading, fields: [("signal", signal)])
        case .stopping(let signal):
            self.init(.info, .stopping, reason: signal)
        case .stopped(let abandoned):
            let level = abandoned == 0 ? LogLevel.info : .warning
            self.init(level, .stopped, fields: [("abandoned", String(abandoned))])
        }
    }
}

extension LogEvent {
    /// The log line of an event of a call to the provider.
    init(_ event: CurlTransport.Event) {
        switch event {
        case .repeats(let host, let reason):
            self.init(.info, .providerCallRepeated, reason: reason.rawValue, fields: [("host", host)])
        }
    }
}
