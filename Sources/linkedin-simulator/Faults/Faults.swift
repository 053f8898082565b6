/// The faults that wait, by endpoint, in the order they were set.
actor Faults {
    private var waiting: [EndpointName: [Fault]] = [:]

    /// Adds a fault behind those that wait; one without a count gives way to it.
    func add(_ fault: Fault, at endpoint: EndpointName) {
        waiting[endpoint, default: []].removeAll { $0.remaining == nil }
        waiting[endpoint, default: []].append(fault)
    }

    /// Clears one endpoint, or all.
    func clear(_ endpoint: EndpointName?) {
        if let endpoint { waiting[endpoint] = nil } else { waiting = [:] }
    }

    /// The fault the next request meets; counts it.
    func take(at endpoint: EndpointName) -> Fault? {
        guard let fault = waiting[endpoint]?.first else { return nil }
        if let remaining = fault.remaining {
            if remaining > 1 {
                waiting[endpoint]?[0].remaining = remaining - 1
            } else {
                waiting[endpoint]?.removeFirst()
            }
        }
        return fault
    }

    var json: JSON {
        let entries = waiting.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { endpoint, faults in
            faults.map { fault -> JSON in
                [
                    "endpoint": .string(endpoint.rawValue), "fault": .string(fault.kind.rawValue),
                    "count": fault.remaining.map { .int($0) } ?? .null,
                ]
            }
        }
        return ["faults": .array(entries)]
    }
}
