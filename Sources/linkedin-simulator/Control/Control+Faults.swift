extension Control {
    @Sendable
    func listFaults(_ request: Request) async -> Response {
        .json(await faults.json)
    }

    @Sendable
    func clearFaults(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            await faults.clear(try endpoint(named: request.query["endpoint"]))
            return .json(await faults.json)
        }
    }

    @Sendable
    func addFault(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            var members: [String: JSON] = [:]
            for member in try self.members(of: request) { members[member.name] = member.value }
            let name = members.removeValue(forKey: "endpoint")
            guard let endpoint = try endpoint(named: name?.plain) else { throw .invalid("endpoint", "missing") }
            await faults.add(try Self.fault(from: members, at: endpoint), at: endpoint)
            return .json(await faults.json)
        }
    }

    private static func fault(
        from members: [String: JSON],
        at endpoint: EndpointName
    ) throws(ControlError) -> Fault {
        let name = members["fault"]?.plain ?? ""
        guard let kind = FaultKind(rawValue: name) else {
            throw .unknown("fault", name, known: FaultKind.allCases.map(\.rawValue))
        }
        guard kind.applies(to: endpoint) else { throw .misplaced(kind, endpoint) }
        var options: [FaultOption: JSON] = [:]
        for (name, value) in members where !["fault", "count"].contains(name) {
            guard let option = FaultOption(rawValue: name), kind.options.contains(option) else {
                throw .unknown("option of \(kind.rawValue)", name, known: kind.options.map(\.rawValue))
            }
            options[option] = try option.read(value)
        }
        return Fault(kind: kind, remaining: try count(members["count"]), options: options)
    }

    private static func count(_ value: JSON?) throws(ControlError) -> Int? {
        guard let value, value != .null else { return nil }
        guard let count = Int(value.plain), count > 0 else { throw .invalid("count", value.plain) }
        return count
    }
}
