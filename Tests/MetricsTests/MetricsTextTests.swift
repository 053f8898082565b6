import Metrics
import Testing

struct MetricsTextTests {
    private func text(_ families: MetricFamily..., as format: MetricsFormat) -> String {
        var text = MetricsText(format)
        for family in families { text.add(family) }
        return String(decoding: text.finished(), as: UTF8.self)
    }

    private let seen = MetricFamily("seen", .counter, "Seen.", [.init([("by", "a\"\\\n")], .number(3))])

    @Test func `a counter is written in both formats`() {
        #expect(
            text(seen, as: .prometheus) == """
                # HELP seen_total Seen.
                # TYPE seen_total counter
                seen_total{by="a\\"\\\\\\n"} 3

                """
        )
        #expect(
            text(seen, as: .openMetrics) == """
                # HELP seen Seen.
                # TYPE seen counter
                seen_total{by="a\\"\\\\\\n"} 3
                # EOF

                """
        )
    }

    @Test func `information is a gauge for old readers`() {
        let family = MetricFamily("program", .info, "It.", [.init([("version", "1")], .number(1))])
        #expect(text(family, as: .prometheus).contains("# TYPE program_info gauge\nprogram_info{version=\"1\"} 1\n"))
        #expect(text(family, as: .openMetrics).contains("# TYPE program info\nprogram_info{version=\"1\"} 1\n"))
    }

    @Test func `durations are classes that include the smaller ones, in seconds`() {
        var counts = DurationCounts()
        for duration in [1, 50_000, 50_001, 2_000_000_000, 60_000_000_000] { counts.add(duration) }
        let family = MetricFamily("wait_seconds", .histogram, "Wait.", .durations(counts))
        let lines = text(family, as: .openMetrics).split(separator: "\n")
        #expect(lines.contains("# UNIT wait_seconds seconds"))
        #expect(lines.contains("wait_seconds_bucket{le=\"5e-05\"} 2"))
        #expect(lines.contains("wait_seconds_bucket{le=\"0.0001\"} 3"))
        #expect(lines.contains("wait_seconds_bucket{le=\"1.0\"} 3"))
        #expect(lines.contains("wait_seconds_bucket{le=\"2.5\"} 4"))
        #expect(lines.contains("wait_seconds_bucket{le=\"+Inf\"} 5"))
        #expect(lines.contains("wait_seconds_count 5"))
        #expect(lines.contains("wait_seconds_sum 62.000100002"))
    }

    @Test func `a metric without a value and a label without a value are left out`() {
        let family = MetricFamily("seen", .gauge, "Seen.", [.init([("a", ""), ("b", "2")], .number(1))])
        #expect(
            text(MetricFamily("none", .gauge, "None.", nil), family, as: .prometheus).hasSuffix("seen{b=\"2\"} 1\n")
        )
        #expect(text(MetricFamily("none", .gauge, "None.", nil), as: .prometheus) == "")
    }

    @Test(arguments: [
        ("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75", true),
        ("application/openmetrics-text; version=1.0.0; q=0.5, text/plain; q=0.4", true),
        ("application/openmetrics-text", true), ("APPLICATION/OPENMETRICS-TEXT;charset=utf-8", true),
        ("application/openmetrics-text;version=0.0.1", false), ("application/openmetrics-text;q=0", false),
        ("application/openmetrics-text;q=0.3,text/plain", false), ("text/plain", false), ("*/*", false), ("", false),
    ])
    func `the format is the one that the reader prefers`(accept: String, isOpen: Bool) {
        #expect(MetricsFormat(accept: accept) == (isOpen ? .openMetrics : .prometheus))
    }

    @Test func `a duration counter counts from all threads`() async {
        final class Shared: Sendable { let counter = DurationCounter() }
        let shared = Shared()
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { shared.counter.add(60_000) } } }
        }
        shared.counter.addAlone(1)
        let counts = shared.counter.read()
        #expect((counts.count, counts.counts[0], counts.counts[1]) == (8_001, 1, 8_000))
        #expect(counts.sum == 8_000 * 60_000 + 1)
    }
}
