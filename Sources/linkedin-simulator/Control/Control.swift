import struct Foundation.Data
import class Foundation.JSONDecoder

/// The paths below `/control/`.
struct Control: Sendable {
    let settings: SettingsStore
    let journal: Journal
    let faults: Faults
    let grants: Grants

    /// Runs an action; answers 400 if it throws.
    func guarding(_ action: () async throws(ControlError) -> Response) async -> Response {
        do throws(ControlError) {
            return try await action()
        } catch {
            return error.response
        }
    }

    /// The members of a JSON body, or the fields of a form.
    func members(of request: Request) throws(ControlError) -> [(name: String, value: JSON)] {
        if !request.form.all.isEmpty {
            return request.form.all.map { ($0.name, .string($0.value)) }
        }
        guard case .object(let object) = try? JSONDecoder().decode(JSON.self, from: Data(request.body)) else {
            throw .malformed
        }
        return object.members.map { ($0.name, $0.value) }
    }

    /// The endpoint with a name; nil, which means all endpoints, if there is no name.
    func endpoint(named name: String?) throws(ControlError) -> EndpointName? {
        guard let name else { return nil }
        guard let endpoint = EndpointName(rawValue: name) else {
            throw .unknown("endpoint", name, known: EndpointName.allCases.map(\.rawValue))
        }
        return endpoint
    }

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
        guard let kind = FaultKind.allCases.first(where: { $0.name == name }) else {
            throw .unknown("fault", name, known: FaultKind.allCases.map(\.name))
        }
        guard kind.applies(to: endpoint) else { throw .misplaced(kind, endpoint) }
        var options: [FaultOption: JSON] = [:]
        for (name, value) in members where !["fault", "count"].contains(name) {
            guard let option = FaultOption(rawValue: name), kind.options.contains(option) else {
                throw .unknown("option of \(kind.name)", name, known: kind.options.map(\.rawValue))
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

    /// Shows the journal; with `at-least=N`, waits for this many requests first.
    @Sendable
    func listRequests(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            let endpoint = try endpoint(named: request.query["endpoint"])
            if let count = request.query["at-least"].flatMap({ Int($0) }) {
                await journal.wait(for: count, at: endpoint)
            }
            return .json(await journal.json(of: endpoint))
        }
    }

    @Sendable
    func clearRequests(_ request: Request) async -> Response {
        await journal.clear()
        return .json(await journal.json(of: nil))
    }

    @Sendable
    func showSettings(_ request: Request) async -> Response {
        .json(.object(await settings.current.json))
    }

    @Sendable
    func changeSettings(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            let members = try members(of: request)
            do {
                try await settings.update { settings in
                    for member in members { try settings.set(member.name, to: member.value) }
                }
            } catch let error as ControlError {
                throw error
            } catch {
                throw .malformed
            }
            return .json(.object(await settings.current.json))
        }
    }

    @Sendable
    func listTokens(_ request: Request) async -> Response {
        .json(["tokens": await grants.json])
    }

    /// Revokes tokens: of one member or of all, and of one kind or of both.
    @Sendable
    func revokeTokens(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            var (member, kind): (Int?, TokenKind?)
            for (name, value) in try members(of: request) {
                switch name {
                case "member":
                    member = Int(value.plain).flatMap(Members.number)?.number
                    guard member != nil else { throw .invalid(name, value.plain) }
                case "kind":
                    kind = TokenKind(rawValue: value.plain)
                    guard kind != nil else { throw .invalid(name, value.plain) }
                default: throw .unknown("field", name, known: ["member", "kind"])
                }
            }
            return .json(["revoked": .int(await grants.revokeTokens(of: member, kind: kind))])
        }
    }
}

/// Why a control request is rejected.
enum ControlError: Error {
    case malformed
    case unknown(String, String, known: [String])
    case invalid(String, String)
    case misplaced(FaultKind, EndpointName)

    var response: Response {
        let text =
            switch self {
            case .malformed: "the body is neither a JSON object nor a form"
            case .unknown(let what, let name, let known):
                "no \(what) is called \"\(name)\"; there are: \(known.joined(separator: ", "))"
            case .invalid(let name, let value): "\(name) cannot be \"\(value)\""
            case .misplaced(let fault, let endpoint): "\(fault.name) does not apply to \(endpoint.rawValue)"
            }
        return .json(["error": .string(text)], status: 400)
    }
}
