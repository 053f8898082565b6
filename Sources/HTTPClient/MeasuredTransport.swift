package import HTTP
package import Metrics
import POSIX
import Synchronization

/// Counts and times calls to other servers.
package final class CallCounter: Sendable {
    /// A kind of calls.
    package struct Kind: Hashable, Sendable {
        package let endpoint: Endpoint
        /// The status code, `other` for one that HTTP does not define, or the code of the error.
        package let outcome: String
    }

    /// An endpoint of a service.
    package struct Endpoint: Hashable, Sendable {
        package let service: String
        /// One of the names that the transport was made with, or `other`.
        package let name: String
    }

    private struct Counts {
        var calls: [Kind: Int] = [:]
        var durations: [Endpoint: DurationCounts] = [:]
    }

    private let counts = Mutex(Counts())

    package init() {}

    /// Begins the number of throttled calls to an endpoint with 0, because Prometheus sees no growth when a number appears.
    func begin(_ endpoint: Endpoint) {
        counts.withLock { $0.calls[Kind(endpoint: endpoint, outcome: "429"), default: 0] += 0 }
    }

    /// Counts a call that took a time in nanoseconds.
    func add(_ endpoint: Endpoint, _ outcome: String, duration: Int) {
        counts.withLock { counts in
            counts.calls[Kind(endpoint: endpoint, outcome: outcome), default: 0] += 1
            counts.durations[endpoint, default: DurationCounts()].add(duration)
        }
    }

    package var calls: [Kind: Int] { counts.withLock(\.calls) }
    /// How long calls took, also those that failed, by endpoint.
    package var durations: [Endpoint: DurationCounts] { counts.withLock(\.durations) }
}

/// A transport that counts and times what another transport sends.
package struct MeasuredTransport: Transport {
    private let transport: any Transport
    private let service: String
    private let endpoints: [(address: String, name: String)]
    private let counter: CallCounter

    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - service: The name of the service that the requests go to, such as the ID of a provider.
    ///   - endpoints: The names of the URLs, without a query; of equal URLs, the first name counts.
    ///   - counter: Receives the numbers.
    package init(
        _ transport: any Transport,
        to service: String,
        endpoints: [(address: String, name: String)],
        counter: CallCounter
    ) {
        self.transport = transport
        self.service = service
        self.endpoints = endpoints.map { (Self.withoutQuery($0.address), $0.name) }
        self.counter = counter
        for endpoint in endpoints { counter.begin(.init(service: service, name: endpoint.name)) }
    }

    package func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let address = Self.withoutQuery(request.url)
        let name = endpoints.first { $0.address == address }?.name ?? "other"
        let endpoint = CallCounter.Endpoint(service: service, name: name)
        let start = MonotonicClock.nanoseconds
        do {
            let response = try await transport.send(request)
            counter.add(endpoint, Self.outcome(response.status), duration: MonotonicClock.nanoseconds - start)
            return response
        } catch {
            counter.add(endpoint, error.code.rawValue, duration: MonotonicClock.nanoseconds - start)
            throw error
        }
    }

    /// The provider chooses the status, so only those that HTTP defines have a name (RFC 9110 §15, RFC 6585).
    private static func outcome(_ status: Int) -> String {
        switch status {
        case 100...103, 200...206, 300...308, 400...417, 421...426, 428, 429, 431, 451, 500...505, 511: String(status)
        default: "other"
        }
    }

    private static func withoutQuery(_ address: String) -> String {
        String(address.prefix { $0 != "?" })
    }
}
