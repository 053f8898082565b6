/// The active faults of each endpoint, in the order in which they were added.
actor Faults {
    private var active: [EndpointName: [Fault]] = [:]

    /// Adds a fault after the others; it replaces a fault without a count.
    func add(_ fault: Fault, at endpoint: EndpointName) {
        active[endpoint, default: []].removeAll { $0.remaining == nil }
        active[endpoint, default: []].append(fault)
    }

    /// Clears the faults of one endpoint or of all.
    func clear(_ endpoint: EndpointName?) {
        if let endpoint { active[endpoint] = nil } else { active = [:] }
    }

    /// Returns the fault of the next request and counts that request.
    func take(at endpoint: EndpointName) -> Fault? {
        guard let fault = active[endpoint]?.first else { return nil }
        if let remaining = fault.remaining {
            if remaining > 1 {
                active[endpoint]?[0].remaining = remaining - 1
            } else {
                active[endpoint]?.removeFirst()
            }
        }
        return fault
    }

    var json: JSON {
        let entries = active.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { endpoint, faults in
            faults.map { fault -> JSON in
                [
                    "endpoint": .string(endpoint.rawValue), "fault": .string(fault.kind.name),
                    "count": fault.remaining.map { .int($0) } ?? .null,
                ]
            }
        }
        return ["faults": .array(entries)]
    }
}
