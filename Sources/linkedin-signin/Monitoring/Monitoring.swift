import Dispatch
import FastCGI
import HTTP
import Metrics
import Settings
import SignIn
import Synchronization

import class FoundationEssentials.JSONEncoder

/// The answers at `SIGNIN_ADMIN_LISTEN`.
enum Monitoring {
    /// Binds the address and starts a server there.
    ///
    /// - Parameters:
    ///   - settings: The address, and the permissions of a Unix socket.
    ///   - takesOver: Whether to replace the socket of a running process.
    ///   - status: Knows how the threads do.
    ///   - site: Returns the site with the present settings.
    ///   - metrics: Returns all metrics.
    /// - Returns: The server; nil if the settings have no address.
    /// - Throws: `FastCGIError` if the address cannot be used.
    static func start(
        _ settings: SettingValues,
        takesOver: Bool,
        status: ServiceStatus,
        site: @escaping @Sendable () -> Site,
        metrics: @escaping @Sendable () -> [MetricFamily]
    ) throws(FastCGIError) -> AdminServer? {
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
            SitePath.health.rawValue: { _ in answer(Health(reasons: status.hungThreads)) },
            SitePath.readiness.rawValue: { _ in answer(readiness(of: site())) },
            "/metrics": { answer(metrics(), accept: $0) },
        ]
        let server = try AdminServer(listener: listener, routes: routes)
        try server.start()
        return server
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
