import HTTP

extension OpenIDError {
    /// Classes a call that ended without an answer.
    init(_ error: TransportError, unavailable: Code, malformed: Code) {
        let code =
            switch error.code {
            case .busy: Code.busy
            case .malformed, .tooLarge: malformed
            case .refusedURL, .unreachable, .untrusted, .timedOut, .cancelled: unavailable
            }
        self.init(code, detail: error.detail, transport: error.code)
    }
}
