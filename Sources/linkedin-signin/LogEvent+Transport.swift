import EventLog
import HTTPClient
import SignIn

extension LogEvent {
    /// The log line of an event of a call to the provider.
    init(_ event: CurlTransport.Event) {
        switch event {
        case .repeats(let host, let reason):
            self.init(.info, "provider-call-repeated", reason: reason.rawValue, fields: [("host", host)])
        }
    }
}
