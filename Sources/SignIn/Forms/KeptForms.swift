package import HTTP
package import Sessions

/// What it takes to keep forms and to send them later.
package struct KeptForms: Sendable {
    /// Bytes of a body.
    let limit: Int
    let store: any KeptFormStore
    /// To this very site: with bounds of its own, so that a slow application takes no call to the provider away.
    let transport: any Transport
    let underWay = SubmissionsUnderWay()
    let room = KeepingRoom()

    /// - Parameters:
    ///   - limit: bytes of the largest body that is kept.
    ///   - store: where forms lie meanwhile.
    ///   - transport: what sends them.
    package init(limit: Int, store: any KeptFormStore, transport: any Transport) {
        self.limit = limit
        self.store = store
        self.transport = transport
    }
}
