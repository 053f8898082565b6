import Metrics
import PostgreSQLStore
import Sessions

import struct FoundationEssentials.Date

extension [MetricFamily] {
    /// What was done with the store, in files or in a database.
    static func store(_ store: StoreCounter, keptBytes: Int) -> Self {
        let sweeps = store.sweeps
        return [
            MetricFamily(
                "\(MetricFamily.prefix)_store_operation_duration_seconds",
                .histogram,
                "Time for an operation of the session store, by operation.",
                StoreOperation.allCases.map { ($0, store.durations(of: $0)) }.filter { $0.1.count > 0 || $0.0 == .read }
                    .map { .init([("operation", $0.0.rawValue)], .durations($0.1)) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_store_errors",
                .counter,
                "Failed operations of the session store, by operation and reason.",
                failures(store)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_sessions",
                .gauge,
                "Sessions that had not ended when their part of the store was last swept.",
                sweeps.sessions.map { .number($0) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_sweep_timestamp_seconds",
                .gauge,
                "When a part of the store was last swept; before the first time, when the program started.",
                .seconds(sweeps.last.timeIntervalSince1970)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_swept",
                .counter,
                "Removed by the sweeper: sessions, used states, kept forms, personal tokens and unfinished files.",
                removed(sweeps.removed)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_kept_form_bytes",
                .gauge,
                "Size of the kept forms that this process knows.",
                .number(keptBytes)
            ),
        ]
    }

    /// All failures begin with 0, because Prometheus sees no growth when a number appears.
    private static func failures(_ store: StoreCounter) -> [MetricFamily.Sample] {
        var counts: [[String]: Int] = [:]
        for operation in StoreOperation.allCases {
            for code in StoreError.Code.allCases { counts[[operation.rawValue, "store-\(code.rawValue)"]] = 0 }
        }
        for (failure, count) in store.failures {
            counts[[failure.operation.rawValue, "store-\(failure.code.rawValue)"], default: 0] += count
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
            .init([("operation", key[0]), ("reason", key[1])], .number(count))
        }
    }

    private static func removed(_ counts: SweepCounts) -> [MetricFamily.Sample] {
        let kinds = [
            ("expired", counts.expired), ("idle", counts.idle), ("state", counts.forgotten),
            ("form", counts.unclaimed), ("token", counts.expiredTokens), ("file", counts.strays),
        ]
        return kinds.map { .init([("kind", $0.0)], .number($0.1)) }
    }

    /// The connections to the database, and the sessions kept in memory.
    static func database(_ store: PostgreSQLStore, isReachable: Bool) -> Self {
        let (connections, statements) = store.databaseFigures
        let cache = store.cacheFigures
        return [
            MetricFamily(
                "\(MetricFamily.prefix)_database_up",
                .gauge,
                "Whether a database server answers.",
                .number(isReachable ? 1 : 0)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_database_connections",
                .gauge,
                "Open connections to the database.",
                .number(connections)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_database_statements",
                .gauge,
                "Statements and look-ups without an answer.",
                .number(statements)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_cache_hits",
                .counter,
                "Session checks whose session was found in memory.",
                cache.map { .number($0.hits) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_cache_misses",
                .counter,
                "Session checks that read the database.",
                cache.map { .number($0.misses) }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_cache_bytes",
                .gauge,
                "Size of the sessions in memory.",
                cache.map { .number($0.bytes) }
            ),
        ]
    }
}
