package import HTTP
package import Sessions

extension LogEvent {
    /// A failure of the store, with its reason code.
    package init(_ error: StoreError, while name: StaticString, request: RequestID? = nil) {
        self.init(
            // A flood is no fault of the store's.
            error.code == .busy ? .warning : .error,
            name,
            request: request,
            reason: "store-\(error.code.rawValue)",
            fields: [("detail", error.detail)]
        )
    }
}
