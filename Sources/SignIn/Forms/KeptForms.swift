package import HTTP
package import Sessions
import Synchronization

/// Everything that the site needs to keep forms and to send them later.
package struct KeptForms: Sendable {
    /// The maximum size of a body in bytes.
    let limit: Int
    let store: any KeptFormStore
    /// Sends forms to this site; its own limits keep a slow application from blocking calls to the provider.
    let transport: any Transport
    let underWay: KeptFormsUnderWay
    let writes: KeptFormWriteLimit

    /// - Parameters:
    ///   - limit: The maximum size of a kept body in bytes.
    ///   - store: Stores forms until they are sent.
    ///   - transport: Sends forms to this site.
    ///   - predecessor: The same with other settings, whose requests may still be under way.
    package init(
        limit: Int,
        store: any KeptFormStore,
        transport: any Transport,
        continuing predecessor: KeptForms? = nil
    ) {
        self.limit = limit
        self.store = store
        self.transport = transport
        underWay = predecessor?.underWay ?? KeptFormsUnderWay()
        writes = predecessor?.writes ?? KeptFormWriteLimit()
    }
}

/// Limits how many forms are written concurrently, because each one waits in memory for its turn.
final class KeptFormWriteLimit: Sendable {
    private static let capacity = 16
    /// The maximum for one client: a quarter of all.
    private static let share = 4

    private struct State {
        var count = 0
        var counts: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Performs the work; returns nil if this client, or all clients together, have reached the limit.
    nonisolated(nonsending) func run<Success: Sendable, Failure: Error>(
        for client: ClientAddress,
        _ work: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success? {
        guard enter(client) else { return nil }
        defer { leave(client) }
        return try await work()
    }

    private func enter(_ client: ClientAddress) -> Bool {
        state.withLock { state in
            let own = state.counts[client, default: 0]
            guard state.count < Self.capacity, own < Self.share else { return false }
            state.count += 1
            state.counts[client] = own + 1
            return true
        }
    }

    private func leave(_ client: ClientAddress) {
        state.withLock { state in
            state.count -= 1
            let own = state.counts[client, default: 0] - 1
            state.counts[client] = own > 0 ? own : nil
        }
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
