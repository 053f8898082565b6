package import HTTP
package import Sessions

/// Everything that the site needs to keep forms and to send them later.
package struct KeptForms: Sendable {
    /// The maximum size of a body in bytes.
    let limit: Int
    let store: any KeptFormStore
    /// Sends forms to this site; its own limits keep a slow application from blocking calls to the provider.
    let transport: any Transport
    let underWay = SubmissionsUnderWay()
    let room = KeepingRoom()

    /// - Parameters:
    ///   - limit: The maximum size of a kept body in bytes.
    ///   - store: Stores forms until they are sent.
    ///   - transport: Sends forms to this site.
    package init(limit: Int, store: any KeptFormStore, transport: any Transport) {
        self.limit = limit
        self.store = store
        self.transport = transport
    }
}
