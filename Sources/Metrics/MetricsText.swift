/// The text formats in which Prometheus reads metrics.
package enum MetricsFormat: Sendable {
    /// Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    /// Chooses the format from the `Accept` field of a request; nil if there is none.
    package init(accept: String?) {
        let types = (accept ?? "").split(separator: ",").map { Self.type(of: $0) }
        let quality: (String) -> Double = { name in types.last { $0.name == name }?.quality ?? 0 }
        let open = quality("application/openmetrics-text")
        self = open > 0 && open >= quality("text/plain") ? .openMetrics : .prometheus
    }

    /// The media type of an answer.
    package var mediaType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// A media range with its weight (RFC 9110 §12.5.1); another version of a format does not count.
    private static func type(of range: Substring) -> (name: String, quality: Double) {
        let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let name = parts.first else { return ("", 0) }
        let version = parts.first { $0.hasPrefix("version=") }?.dropFirst("version=".count)
        if name == "application/openmetrics-text", !["1.0.0", nil].contains(version) { return ("", 0) }
        let weight = parts.first { $0.hasPrefix("q=") }?.dropFirst(2)
        return (name, weight.map { Double($0) ?? 0 } ?? 1)
    }
}

/// Writes metrics as text.
package struct MetricsText {
    private let format: MetricsFormat
    private var text = ""

    package init(_ format: MetricsFormat) {
        self.format = format
    }

    /// Adds a metric; one without values is left out.
    package mutating func add(_ family: MetricFamily) {
        guard !family.samples.isEmpty else { return }
        let name = format == .openMetrics ? family.name : family.sampleName
        line("# HELP", name, Self.escaped(family.help, quotes: format == .openMetrics))
        line("# TYPE", name, type(of: family.kind))
        if format == .openMetrics, let unit = family.unit { line("# UNIT", name, unit) }
        for sample in family.samples { add(sample, family.sampleName) }
    }

    /// The whole text.
    package func finished() -> [UInt8] {
        Array((format == .openMetrics ? text + "# EOF\n" : text).utf8)
    }

    private func type(of kind: MetricFamily.Kind) -> String {
        kind == .info && format == .prometheus ? "gauge" : kind.rawValue
    }

    private mutating func add(_ sample: MetricFamily.Sample, _ name: String) {
        switch sample.value {
        case .number(let number): line(name + Self.text(sample.labels), String(number))
        case .duration(let duration): line(name + Self.text(sample.labels), Self.seconds(duration))
        case .seconds(let seconds): line(name + Self.text(sample.labels), "\(seconds)")
        case .durations(let counts): add(counts, sample.labels, name)
        }
    }

    private mutating func add(_ counts: DurationCounts, _ labels: [MetricFamily.Label], _ name: String) {
        var sum = 0
        for (index, count) in counts.counts.enumerated() {
            sum += count
            let bounds = DurationClasses.bounds
            let bound = index < bounds.count ? Self.seconds(bounds[index]) : "+Inf"
            line("\(name)_bucket" + Self.text(labels + [("le", bound)]), String(sum))
        }
        line("\(name)_sum" + Self.text(labels), Self.seconds(counts.sum))
        line("\(name)_count" + Self.text(labels), String(sum))
    }

    private mutating func line(_ words: String...) {
        text += words.joined(separator: " ") + "\n"
    }

    private static func seconds(_ nanoseconds: Int) -> String {
        "\(Double(nanoseconds) / 1_000_000_000)"
    }

    private static func text(_ labels: [MetricFamily.Label]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
