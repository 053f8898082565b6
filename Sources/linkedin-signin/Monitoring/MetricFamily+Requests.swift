import EventLog
import FastCGI
import Metrics
import SignIn

extension MetricFamily {
    static let prefix = "linkedin_signin"
}

extension [MetricFamily] {
    /// What the web server asked for, and the threads that answer.
    static func requests(_ server: ServerFigures) -> Self {
        let name: (Int) -> String = { RequestRoute.names.indices ~= $0 ? RequestRoute.names[$0] : "other" }
        var answers: [[String]: Int] = [:]
        for (answer, count) in server.answers {
            answers[[name(answer.route), answer.status, answer.reason ?? ""], default: 0] += count
        }
        var durations = ["check": DurationCounts()]
        for (route, counts) in server.durations where counts.count > 0 {
            durations[name(route), default: DurationCounts()] += counts
        }
        return [
            MetricFamily(
                "\(MetricFamily.prefix)_requests",
                .counter,
                "Answered requests by route, status and the reason of a refusal.",
                answers.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
                    .init([("route", key[0]), ("status", key[1]), ("reason", key[2])], .number(count))
                }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_request_duration_seconds",
                .histogram,
                "Time from the arrival of a request until its answer is written, by route.",
                durations.sorted { $0.key < $1.key }.map { .init([("route", $0.key)], .durations($0.value)) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_workers",
                .gauge,
                "Threads that serve requests.",
                .number(server.workers)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_workers_busy",
                .gauge,
                "Threads that are serving a request.",
                .number(server.busyWorkers)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_requests_waiting",
                .gauge,
                "Requests that wait for the provider or the store and keep no thread busy.",
                .number(server.waitingRequests)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_connections",
                .gauge,
                "Open connections from the web server.",
                .number(server.connections)
            ),
        ]
    }

    /// How sign-ins ended: the events that end one, counted by result.
    static func signIns(_ events: [EventCounter.Kind: Int]) -> Self {
        var counts: [[String]: Int] = [:]
        for result in SignInResult.allCases { counts[["browser", result.rawValue]] = 0 }
        for (event, count) in events {
            guard let result = SignInResult(event) else { continue }
            let isToken = event.by == "token" || event.name == .tokenRefused
            counts[[isToken ? "token" : "browser", result.rawValue], default: 0] += count
        }
        return [
            MetricFamily(
                "\(MetricFamily.prefix)_sign_ins",
                .counter,
                "Ended sign-ins by method and result.",
                counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
                    .init([("method", key[0]), ("result", key[1])], .number(count))
                }
            )
        ]
    }
}

/// How a sign-in ended.
private enum SignInResult: String, CaseIterable {
    case succeeded
    /// The visitor chose *Cancel* at the provider.
    case cancelled
    /// LinkedIn, this machine or the settings are at fault.
    case failed
    /// The visitor, or a client that never began a sign-in, is at fault: for example a callback without a sign-in cookie, or an
    /// access token that was not accepted.
    case rejected
    /// A limit was reached.
    case refused
    /// The browser signs in again and again without effect.
    case loop

    private static let limits: Set = ["upstream-busy", "upstream-share", "spent-states-full", "spent-states-share"]

    init?(_ event: EventCounter.Kind) {
        switch (event.name, event.reason) {
        case (.signedIn, _): self = .succeeded
        case (.signInFailed, "provider-cancelled"): self = .cancelled
        case (.signInRefused, _): self = .refused
        case (.tokenRefused, let reason?) where Self.limits.contains(reason): self = .refused
        // An event is an error if its answer has a status of 500 or more.
        case (.signInFailed, _), (.tokenRefused, _): self = event.level < .error ? .rejected : .failed
        case (.signInLoop, _): self = .loop
        default: return nil
        }
    }
}
