package import HTTP
import Provider
import Sessions
import Synchronization

/// Everything that the site needs to keep forms and to send them later.
package struct KeptForms: Sendable {
    /// The maximum size of a body in bytes.
    let limit: Int
    /// Sends forms to this site; its own limits keep a slow application from blocking calls to the provider.
    let transport: any Transport
    let underWay: KeptFormsUnderWay
    /// Limits how many forms are written concurrently, because each one waits in memory for its turn.
    let writes: ConcurrencyLimit

    /// - Parameters:
    ///   - limit: The maximum size of a kept body in bytes.
    ///   - transport: Sends forms to this site.
    ///   - predecessor: The same with other settings, whose requests may still be under way.
    package init(
        limit: Int,
        transport: any Transport,
        continuing predecessor: KeptForms? = nil
    ) {
        self.limit = limit
        self.transport = transport
        underWay = predecessor?.underWay ?? KeptFormsUnderWay()
        writes = predecessor?.writes ?? ConcurrencyLimit(16, places: 0)
    }
}

/// The kept forms that are being sent; a second request for the same form gets the answer of the first.
///
/// After a double click, a browser drops its first request and waits for the second. The application receives one.
final class KeptFormsUnderWay: Sendable {
    private let tasks = Mutex<[String: Task<KeptFormDelivery, Never>]>([:])

    /// Waits for the work with a key, and starts it unless it is running.
    func join(_ key: String, _ work: @escaping @Sendable () async -> KeptFormDelivery) async -> KeptFormDelivery {
        let task = tasks.withLock { tasks in
            if let running = tasks[key] { return running }
            let task = Task {
                let delivery = await work()
                self.tasks.withLock { $0[key] = nil }
                return delivery
            }
            tasks[key] = task
            return task
        }
        return await task.value
    }
}

/// The outcome of sending a form.
enum KeptFormDelivery: Sendable {
    case answered(ClientResponse)
    /// Nothing was sent; the form is still kept.
    case unsent(TransportError)
    /// The application may have received the form, so it must not be sent again.
    case unanswered(TransportError)
    /// The form is no longer kept: it was sent, or it has expired.
    case gone
    /// The form belongs to another address; it is still kept.
    case elsewhere
    case storeFailed(StoreError)
}
