/// One metric: its name, its meaning and its values.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        /// A number that only grows; its name gets the suffix `_total`.
        case counter
        case gauge
        /// Durations; its name ends with `_seconds`.
        case histogram
        /// A 1 whose labels are the information; its name gets the suffix `_info`.
        case info
    }

    package typealias Label = (name: String, value: String)

    package enum Value: Sendable {
        case number(Int)
        /// Nanoseconds; written in seconds.
        case duration(Int)
        /// Seconds, for example since 1970.
        case seconds(Double)
        case durations(DurationCounts)
    }

    package struct Sample: Sendable {
        let labels: [Label]
        let value: Value

        /// Labels without a value are left out.
        package init(_ labels: [Label], _ value: Value) {
            self.labels = labels.filter { !$0.value.isEmpty }
            self.value = value
        }
    }

    /// The name without the suffix of its kind.
    package let name: String
    package let kind: Kind
    package let help: String
    package let samples: [Sample]

    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A metric without labels; it is left out if there is no value.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Value?) {
        self.init(name, kind, help, value.map { [Sample([], $0)] } ?? [])
    }

    /// The unit at the end of the name; nil for a number without one.
    var unit: String? {
        ["seconds", "bytes"].first { name.hasSuffix("_\($0)") }
    }

    /// The name of the samples.
    var sampleName: String {
        switch kind {
        case .counter: name + "_total"
        case .info: name + "_info"
        case .gauge, .histogram: name
        }
    }
}
