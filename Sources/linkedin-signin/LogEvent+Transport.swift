import HTTPClient
import SignIn

extension LogEvent {
    /// What happened to a call to the provider, as a line of the log.
    init(_ event: CurlTransport.Event) {
        switch event {
        case .repeats(let host, let reason):
            self.init(.info, "provider-call-repeated", reason: reason.rawValue, fields: [("host", host)])
        }
    }
}
