import EventLog
import FastCGI
import HTTPClient
import SignIn

extension LogEvent {
    /// The log line of an event of the FastCGI server.
    init(_ event: ServerEvent) {
        switch event {
        case .peerRefused(let user):
            self.init(.warning, "peer-refused", reason: "user-not-allowed", fields: [("uid", String(user))])
        case .recordRefused(let reason):
            self.init(.warning, "peer-refused", reason: "record-refused", fields: [("detail", reason.rawValue)])
        case .timedOut(let stage):
            self.init(.warning, "peer-timed-out", reason: stage.rawValue)
        case .memoryExhausted:
            self.init(.error, "connection-dropped", reason: "memory")
        case .rejected(let request, let rejection, let remoteAddress):
            self.init(
                .warning,
                "request-rejected",
                request: request,
                reason: rejection.rawValue,
                fields: [("remote", remoteAddress)]
            )
        case .handlerFailed(let request, let errorType):
            self.init(
                .error,
                "handler-failed",
                request: request,
                reason: "internal-error",
                fields: [("error", errorType)]
            )
        case .answerHeaderTooLarge(let request, let size):
            self.init(
                .error,
                "handler-failed",
                request: request,
                reason: "header-size",
                fields: [("bytes", String(size))]
            )
        case .acceptBackingOff(let errorName):
            self.init(.error, "accept-backing-off", reason: errorName)
        case .acceptResumed:
            self.init(.info, "accept-resumed")
        case .signalIgnored(let signal):
            self.init(.info, "signal-ignored", reason: "no-effect", fields: [("signal", signal)])
        case .threadHung(let threads):
            self.init(.error, "thread-hung", reason: threads.rawValue)
        case .threadResumed(let threads):
            self.init(.info, "thread-resumed", reason: threads.rawValue)
        case .reloadRequested(let signal):
            self.init(.info, "reloading", fields: [("signal", signal)])
        case .stopping(let signal):
            self.init(.info, "stopping", reason: signal)
        case .stopped(let abandoned):
            let level = abandoned == 0 ? LogLevel.info : .warning
            self.init(level, "stopped", fields: [("abandoned", String(abandoned))])
        }
    }
}

extension LogEvent {
    /// The log line of an event of a call to the provider.
    init(_ event: CurlTransport.Event) {
        switch event {
        case .repeats(let host, let reason):
            self.init(.info, "provider-call-repeated", reason: reason.rawValue, fields: [("host", host)])
        }
    }
}
