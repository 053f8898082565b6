import ArgumentParser
import EventLog
import FastCGI
import Guard
import HTTPClient
import Metrics
import POSIX
import PostgreSQLStore
import Provider
import Sessions
import SignIn

import struct FoundationEssentials.Date
import class FoundationEssentials.FileManager

/// All metrics: a row for each, with its name, meaning and value.
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
            .counts(
                "requests",
                "Requests with a response, by route, status and the reason of a refusal.",
                "route status reason",
                answers
            ),
            .durations(
                "request_duration_seconds",
                "Time from the arrival of a request until its response is written, by route.",
                "route",
                durations.map { (key: [$0.key], value: $0.value) }
            ),
            .gauge("workers", "Threads that serve requests.", server.workers),
            .gauge("workers_busy", "Threads that are serving a request.", server.busyWorkers),
            .gauge(
                "requests_waiting",
                "Requests that wait for the provider or the store and keep no thread busy.",
                server.waitingRequests
            ),
            .gauge("connections", "Open connections from the web server.", server.connections),
        ]
    }

    /// The calls to the provider, so far and now.
    static func provider(_ calls: CallCounter, _ providers: [Provider]) -> Self {
        let (limits, held) = (providers.map(\.calls), providers.map { $0.held.count(at: Date()) })
        let counts = calls.calls.map { ([$0.key.endpoint.service, $0.key.endpoint.name, $0.key.outcome], $0.value) }
        let durations = calls.durations.map { (key: [$0.key.service, $0.key.name], value: $0.value) }
        return [
            .counts(
                "provider_calls",
                "Calls by provider, endpoint and outcome: the status, or the kind of error.",
                "provider endpoint outcome",
                Dictionary(uniqueKeysWithValues: counts)
            ),
            .durations(
                "provider_call_duration_seconds",
                "Time for a call, by provider and endpoint.",
                "provider endpoint",
                durations
            ),
            .gauge(
                "provider_slots",
                "The maximum number of requests that call providers at the same time.",
                limits.reduce(0) { $0 + $1.limit }
            ),
            .gauge(
                "provider_slots_used",
                "Requests that call the provider now.",
                limits.reduce(0) { $0 + $1.activeCount }
            ),
            .gauge(
                "provider_slots_awaited",
                "Requests that wait until they may call the provider.",
                limits.reduce(0) { $0 + $1.waitingCount }
            ),
            .gauge(
                "held_calls",
                "Failed profile calls that still delay further profile calls of a session, a member or all members.",
                held.reduce(0, +)
            ),
        ]
    }

    /// What was done with the store, in files or in a database.
    static func store(_ store: StoreCounter, keptBytes: Int) -> Self {
        let sweeps = store.sweeps
        let durations = StoreOperation.allCases.map { (key: [$0.rawValue], value: store.durations(of: $0)) }
        // All failures begin with 0, because Prometheus sees no growth when a number appears.
        var failures: [[String]: Int] = [:]
        for operation in StoreOperation.allCases {
            for code in StoreError.Code.allCases { failures[[operation.rawValue, "store-\(code.rawValue)"]] = 0 }
        }
        for (failure, count) in store.failures {
            failures[[failure.operation.rawValue, "store-\(failure.code.rawValue)"], default: 0] += count
        }
        let removed = [
            ("expired", sweeps.removed.expired), ("idle", sweeps.removed.idle), ("state", sweeps.removed.forgotten),
            ("form", sweeps.removed.unclaimed), ("token", sweeps.removed.expiredTokens),
            ("file", sweeps.removed.strays),
        ]
        return [
            .durations(
                "store_operation_duration_seconds",
                "Time for an operation of the session store, by operation.",
                "operation",
                durations.filter { $0.value.count > 0 || $0.key == [StoreOperation.read.rawValue] }
            ),
            .counts(
                "store_errors",
                "Failed operations of the session store, by operation and reason.",
                "operation reason",
                failures
            ),
            .gauge(
                "sessions",
                "Sessions that had not expired when their part of the store was last swept.",
                sweeps.sessions
            ),
            .time(
                "sweep_timestamp_seconds",
                "When the program last searched a part of the store for expired records, or else when the program started.",
                sweeps.last
            ),
            .own(
                "swept",
                .counter,
                "Records that the sweeper removed: sessions, used states, kept forms, personal tokens and unfinished files.",
                removed.map { .init([("kind", $0.0)], .number($0.1)) }
            ),
            .gauge("kept_form_bytes", "Size of the kept forms that this process knows.", keptBytes),
        ]
    }

    /// The connections to the database, and the sessions kept in memory.
    static func database(_ store: PostgreSQLStore, isReachable: Bool) -> Self {
        let (connections, statements) = store.databaseFigures
        let cache = store.cacheFigures
        return [
            .gauge("database_up", "Whether a database server responds.", isReachable ? 1 : 0),
            .gauge("database_connections", "Open connections to the database.", connections),
            .gauge("database_statements", "Statements and look-ups that wait for the database.", statements),
            .counter("cache_hits", "Session checks whose session was found in the cache.", cache?.hits),
            .counter("cache_misses", "Session checks that read the database.", cache?.misses),
            .gauge("cache_bytes", "Size of the sessions in the cache.", cache?.bytes),
        ]
    }

    /// The version.
    static var program: Self {
        let version = LinkedInSignIn.configuration.version
        let sample = MetricFamily.Sample([("version", version)], .number(1))
        return [MetricFamily("linkedin_signin", .info, "The version of the program.", [sample])]
    }

    /// What became of the settings.
    static func settings(_ reloads: ServiceStatus.Reloads) -> Self {
        [
            .counts(
                "reloads",
                "Reloads of the settings by result.",
                "result",
                [["applied"]: reloads.applied, ["refused"]: reloads.refused]
            ),
            .gauge(
                "config_last_reload_successful",
                "0 if the last reload was refused, otherwise 1; the settings from before a refused reload stay in use.",
                reloads.isLastRefused ? 0 : 1
            ),
            .time(
                "config_last_reload_success_timestamp_seconds",
                "When the settings in use were read.",
                reloads.lastSuccess
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
        return [.counts("sign_ins", "Finished sign-ins by method and result.", "method result", counts)]
    }

    /// The events of the log, and the lines that it lost.
    static func log(_ events: [EventCounter.Kind: Int], _ sink: (dropped: Int, waiting: Int)?) -> Self {
        // Those that alerts look at begin with 0, because Prometheus sees no growth when a number appears.
        let denials = Denial.allCases.filter(\.isMisconfiguration).map(\.rawValue)
        let alerting: [(EventName, [String], LogLevel)] = [
            (.threadHung, ["worker", "shared-pool"], .error),
            (.handlerFailed, ["internal-error", "header-size"], .error),
            (.linkedInVersionRefused, ["resource-version"], .warning), (.accessDenied, denials, .error),
        ]
        var counts: [[String]: Int] = [:]
        for (name, reasons, level) in alerting {
            for reason in reasons { counts[[name.rawValue, reason, level.rawValue]] = 0 }
        }
        for (event, count) in events {
            let name = event.name?.rawValue ?? "other"
            counts[[name, event.reason ?? "", event.level.rawValue], default: 0] += count
        }
        return [
            .counts(
                "events",
                "Events of the log by name, reason and level, also those below the minimum level.",
                "event reason level",
                counts
            ),
            .counter(
                "log_lines_dropped",
                "Log lines that were lost because the reader of the log, such as the journal, was too slow.",
                sink?.dropped
            ),
            .gauge("log_lines_waiting", "Log lines that wait to be written.", sink?.waiting),
        ]
    }

    /// What the process uses of the system, under the names that all programs use.
    static func process(start: Date) -> Self {
        let figures = ProcessFigures()
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let (started, cpu) = (MetricFamily.Value.seconds(start.timeIntervalSince1970), figures.processorTime)
        let (memory, limit) = (figures.residentMemory, figures.descriptorLimit)
        return [
            MetricFamily("process_start_time_seconds", .gauge, "When the process started.", started),
            MetricFamily("process_cpu_seconds", .counter, "Processor time of all threads.", .duration(cpu)),
            MetricFamily("process_resident_memory_bytes", .gauge, "Memory in use.", memory.map { .number($0) }),
            MetricFamily("process_open_fds", .gauge, "Open descriptors.", descriptors.map { .number($0) }),
            MetricFamily("process_max_fds", .gauge, "Maximum number of open descriptors.", limit.map { .number($0) }),
        ]
    }
}

/// The rows of the table.
extension MetricFamily {
    fileprivate static func own(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) -> Self {
        Self("linkedin_signin_\(name)", kind, help, samples)
    }

    /// A number, if there is one.
    fileprivate static func gauge(_ name: String, _ help: String, _ number: Int?) -> Self {
        own(name, .gauge, help, number.map { [Sample([], .number($0))] } ?? [])
    }

    /// A number that only grows, if there is one.
    fileprivate static func counter(_ name: String, _ help: String, _ number: Int?) -> Self {
        own(name, .counter, help, number.map { [Sample([], .number($0))] } ?? [])
    }

    fileprivate static func time(_ name: String, _ help: String, _ date: Date) -> Self {
        own(name, .gauge, help, [Sample([], .seconds(date.timeIntervalSince1970))])
    }

    /// Numbers that only grow, each with the values of the labels, whose names have spaces between them.
    fileprivate static func counts(
        _ name: String,
        _ help: String,
        _ labels: String,
        _ counts: [[String]: Int]
    ) -> Self {
        own(name, .counter, help, samples(labels, counts.map { ($0.key, .number($0.value)) }))
    }

    /// Durations, each with the values of the labels, whose names have spaces between them.
    fileprivate static func durations(
        _ name: String,
        _ help: String,
        _ labels: String,
        _ durations: [(key: [String], value: DurationCounts)]
    ) -> Self {
        own(name, .histogram, help, samples(labels, durations.map { ($0.key, .durations($0.value)) }))
    }

    private static func samples(_ labels: String, _ values: [(key: [String], value: Value)]) -> [Sample] {
        let names = labels.split(separator: " ").map(String.init)
        return values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { values, value in
            Sample(zip(names, values).map { (name: $0, value: $1) }, value)
        }
    }
}
