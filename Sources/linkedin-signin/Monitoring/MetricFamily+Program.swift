import ArgumentParser
import EventLog
import Guard
import Metrics
import POSIX

import struct FoundationEssentials.Date
import class FoundationEssentials.FileManager

extension [MetricFamily] {
    /// The version.
    static var program: Self {
        [
            MetricFamily(
                MetricFamily.prefix,
                .info,
                "The version of the program.",
                [.init([("version", LinkedInSignIn.configuration.version)], .number(1))]
            )
        ]
    }

    /// What became of the settings.
    static func settings(_ reloads: ServiceStatus.Reloads) -> Self {
        [
            MetricFamily(
                "\(MetricFamily.prefix)_reloads",
                .counter,
                "Reloads of the settings by result.",
                [
                    .init([("result", "applied")], .number(reloads.applied)),
                    .init([("result", "refused")], .number(reloads.refused)),
                ]
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_config_last_reload_successful",
                .gauge,
                "0 if the last reload was refused, otherwise 1; the settings from before a refused reload stay in use.",
                .number(reloads.isLastRefused ? 0 : 1)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_config_last_reload_success_timestamp_seconds",
                .gauge,
                "When the settings in use were read.",
                .seconds(reloads.lastSuccess.timeIntervalSince1970)
            ),
        ]
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
            MetricFamily(
                "\(MetricFamily.prefix)_events",
                .counter,
                "Events of the log by name, reason and level, also those below the minimum level.",
                counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
                    .init([("event", key[0]), ("reason", key[1]), ("level", key[2])], .number(count))
                }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_log_lines_dropped",
                .counter,
                "Lines that were lost because the log was read too slowly.",
                sink.map { .number($0.dropped) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_log_lines_waiting",
                .gauge,
                "Lines that wait to be written.",
                sink.map { .number($0.waiting) }
            ),
        ]
    }

    /// What the process uses of the system, under the names that all programs use.
    static func process(start: Date) -> Self {
        let figures = ProcessFigures()
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return [
            MetricFamily(
                "process_start_time_seconds",
                .gauge,
                "When the process started.",
                .seconds(start.timeIntervalSince1970)
            ),
            MetricFamily(
                "process_cpu_seconds",
                .counter,
                "Processor time of all threads.",
                .duration(figures.processorTime)
            ),
            MetricFamily(
                "process_resident_memory_bytes",
                .gauge,
                "Memory in use.",
                figures.residentMemory.map { .number($0) }
            ),
            MetricFamily("process_open_fds", .gauge, "Open descriptors.", descriptors.map { .number($0) }),
            MetricFamily(
                "process_max_fds",
                .gauge,
                "Maximum number of open descriptors.",
                figures.descriptorLimit.map { .number($0) }
            ),
        ]
    }
}
