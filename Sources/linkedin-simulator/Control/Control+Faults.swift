import struct Foundation.Data
import class Foundation.JSONDecoder

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
            var options: [String: JSON] = [:]
            for member in try members(of: request) { options[member.name] = member.value }
            guard case .string(let name) = options.removeValue(forKey: "endpoint"),
                let endpoint = try endpoint(named: name)
            else { throw .invalid("endpoint", "missing") }
            guard case .string(let kindName) = options.removeValue(forKey: "fault"),
                let kind = FaultKind(rawValue: kindName)
            else {
                throw .unknown("fault", "\(options["fault"]?.text ?? "")", known: FaultKind.allCases.map(\.rawValue))
            }
            guard kind.applies(to: endpoint) else { throw .misplaced(kind, endpoint) }
            let count = try Self.count(options.removeValue(forKey: "count"))
            await faults.add(Fault(kind: kind, remaining: count, options: Self.decoded(options)), at: endpoint)
            return .json(await faults.json)
        }
    }

    private static func count(_ value: JSON?) throws(ControlError) -> Int? {
        switch value {
        case nil, .null: return nil
        case .int(let count) where count > 0: return count
        case .string(let text):
            guard let count = Int(text), count > 0 else { throw .invalid("count", text) }
            return count
        case .some(let other): throw .invalid("count", other.text)
        }
    }

    /// In a form, the option `claims` is the text of a JSON object.
    private static func decoded(_ options: [String: JSON]) -> [String: JSON] {
        var options = options
        if case .string(let text) = options["claims"],
            let claims = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        {
            options["claims"] = claims
        }
        return options
    }
}
