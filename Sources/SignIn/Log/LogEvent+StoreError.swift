package import HTTP
package import Sessions

extension LogEvent {
    /// A failure of the store, with its reason code.
    package init(_ error: StoreError, while name: StaticString, request: RequestID? = nil) {
        self.init(
            .error,
            name,
            request: request,
            reason: "store-\(error.code.rawValue)",
            fields: [("detail", error.detail)]
        )
    }
}
