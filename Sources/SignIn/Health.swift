package import HTTP
import OpenID
import Provider
import Sessions
import Synchronization

/// An answer for load balancers and monitoring.
package struct Health: Sendable, Equatable, Encodable {
    /// Reason codes of the log; empty if nothing is wrong.
    package let reasons: [String]

    package init(reasons: [String]) {
        self.reasons = reasons
    }

    package var status: Status { reasons.isEmpty ? .ok : .serviceUnavailable }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reasons.isEmpty ? "ok" : "unavailable", forKey: .status)
        if !reasons.isEmpty { try container.encode(reasons, forKey: .reasons) }
    }

    private enum CodingKeys: String, CodingKey {
        case status, reasons
    }
}

/// What the site needs to work, checked a single time for all requests within a few seconds.
actor Readiness {
    /// The time for which a result is used again, so that frequent questions do not become calls to the provider.
    private static let lifetime = Duration.seconds(2)

    private var look: (task: Task<[String], Never>, ended: ContinuousClock.Instant?)?

    /// The reasons why the site is not ready; waits for a look that is under way.
    func reasons(_ body: @escaping @Sendable () async -> [String]) async -> [String] {
        if let look, look.ended.map({ .now - $0 < Self.lifetime }) ?? true { return await look.task.value }
        let task = Task { await body() }
        look = (task, nil)
        let reasons = await task.value
        look = (task, .now)
        return reasons
    }
}

/// `/healthz` and `/readyz`: whether the process works, and everything that it needs.
final class HealthEndpoints: SiteFeature {
    let context: SiteContext
    /// The reason codes of the kinds of threads that make no progress.
    private let hungThreads: @Sendable () -> [String]
    private let readiness = Readiness()

    init(_ context: SiteContext, hungThreads: @escaping @Sendable () -> [String]) {
        (self.context, self.hungThreads) = (context, hungThreads)
    }

    /// Answers `GET /healthz`: 200 if the threads of the process make progress.
    func showHealth(_ request: Request) throws -> Response {
        try health(Health(reasons: hungThreads()))
    }

    /// Answers `GET /readyz`: 200 if also the store answers and the keys of the provider are known.
    func showReadiness(_ request: Request) async throws -> Response {
        try await health(checkReadiness())
    }

    /// Looks at the threads, the store and the keys of the provider; asks the provider for the keys if they are not known.
    func checkReadiness() async -> Health {
        let reasons = await readiness.reasons { [self] in
            async let store = objectionOfStore()
            async let provider = objectionOfProvider()
            return await [store, provider].compactMap(\.self)
        }
        return Health(reasons: hungThreads() + reasons)
    }

    /// Looks for a session that does not exist, so that the store has to read.
    private func objectionOfStore() async -> String? {
        do throws(StoreError) {
            _ = try await store.sessions.session(for: Ticket(random: .system()), now: now())
            return nil
        } catch {
            return error.reason
        }
    }

    /// Members can sign in as long as the keys of one provider are known.
    ///
    /// If no keys are known, all providers are asked at the same time, and nobody waits for the others after the first keys.
    private func objectionOfProvider() async -> String? {
        let all = providers.all
        for provider in all where await provider.client.hasKeys { return nil }
        let (outcomes, outcome) = AsyncStream<(provider: Int, objection: String?)>.makeStream()
        for (index, provider) in all.enumerated() {
            Task {
                do throws(OpenIDError) {
                    try await provider.client.requireKeys()
                    outcome.yield((index, nil))
                } catch {
                    outcome.yield((index, error.code.rawValue))
                }
            }
        }
        var objections: [Int: String] = [:]
        for await (index, objection) in outcomes.prefix(all.count) {
            guard let objection else { return nil }
            objections[index] = objection
        }
        return objections[0]
    }

    private func health(_ health: Health) throws -> Response {
        try answers.json(health.status, encoding: health)
    }
}
