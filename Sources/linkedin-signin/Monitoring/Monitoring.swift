import Dispatch
import FastCGI
import HTTP
import Metrics
import Settings
import SignIn
import Synchronization

import class FoundationEssentials.JSONEncoder

/// The answers at `SIGNIN_ADMIN_LISTEN`.
struct Monitoring {
    private let server: AdminServer

    /// Binds the address; nil if the settings have none.
    ///
    /// - Parameters:
    ///   - settings: The address, and the permissions of a Unix socket.
    ///   - takesOver: Whether to replace the socket of a running process.
    ///   - status: Knows how the threads do.
    ///   - site: Returns the site with the present settings.
    ///   - metrics: Returns all metrics.
    /// - Throws: `FastCGIError` if the address cannot be used.
    init?(
        _ settings: SettingValues,
        takesOver: Bool,
        status: ServiceStatus,
        site: @escaping @Sendable () -> Site,
        metrics: @escaping @Sendable () -> [MetricFamily]
    ) throws(FastCGIError) {
        let listener: Listener
        switch settings.adminListen {
        case .unix(let path):
            listener = try .unix(
                path: path,
                mode: UInt32(settings.socketMode),
                group: settings.socketGroup,
                takesOver: takesOver
            )
        case .loopback(let host, let port):
            // During a replacement, both processes listen.
            listener = try .tcp(host: host, port: UInt16(port), isShared: true)
        case .automatic, .inherited, nil: return nil
        }
        let routes: [String: AdminServer.Route] = [
            SitePath.health.rawValue: { _ in Self.answer(Health(reasons: status.hungThreads)) },
            SitePath.readiness.rawValue: { _ in Self.answer(Self.readiness(of: site())) },
            "/metrics": { Self.answer(metrics(), accept: $0) },
        ]
        server = try AdminServer(listener: listener, routes: routes)
        try server.start()
    }

    func stop() {
        server.stop()
    }

    /// Waits for a look, at most 5 seconds: if the shared pool hangs, it never ends.
    private static func readiness(of site: Site) -> Health {
        let (box, done) = (Box(), DispatchSemaphore(value: 0))
        Task(priority: .medium) {
            let health = await site.checkReadiness()
            box.health.withLock { $0 = health }
            done.signal()
        }
        _ = done.wait(timeout: .now() + 5)
        return box.health.withLock(\.self)
    }

    private final class Box: Sendable {
        let health = Mutex(Health(reasons: ["timed-out"]))
    }

    private static func answer(_ metrics: [MetricFamily], accept: String?) -> AdminServer.Answer {
        let format = MetricsFormat(accept: accept)
        var text = MetricsText(format)
        for family in metrics { text.add(family) }
        return AdminServer.Answer(.ok, type: format.mediaType, body: text.finished())
    }

    private static func answer(_ health: Health) -> AdminServer.Answer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = (try? encoder.encode(health)).map { [UInt8]($0) } ?? []
        return AdminServer.Answer(health.status, type: "application/json", body: body)
    }
}
