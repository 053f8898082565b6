import HTTPClient
import Metrics
import SignIn

extension [MetricFamily] {
    /// The calls to the provider, so far and now.
    static func provider(_ calls: CallCounter, _ now: CallFigures) -> Self {
        [
            MetricFamily(
                "\(MetricFamily.prefix)_provider_calls",
                .counter,
                "Calls to the provider by endpoint and outcome: the status, or the kind of error.",
                calls.calls.sorted { ($0.key.endpoint, $0.key.outcome) < ($1.key.endpoint, $1.key.outcome) }.map {
                    .init([("endpoint", $0.key.endpoint), ("outcome", $0.key.outcome)], .number($0.value))
                }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_provider_call_duration_seconds",
                .histogram,
                "Time for a call to the provider, by endpoint.",
                calls.durations.sorted { $0.key < $1.key }.map {
                    .init([("endpoint", $0.key)], .durations($0.value))
                }
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_provider_slots",
                .gauge,
                "Requests that may call the provider at one time.",
                .number(now.limit)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_provider_slots_used",
                .gauge,
                "Requests that call the provider now.",
                .number(now.active)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_provider_slots_awaited",
                .gauge,
                "Requests that wait until they may call the provider.",
                .number(now.waiting)
            ),
            MetricFamily(
                "\(MetricFamily.prefix)_held_calls",
                .gauge,
                "Failures that hold back further calls for a member, a session or the application.",
                .number(now.held)
            ),
        ]
    }
}
