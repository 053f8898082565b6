import struct Foundation.Data
import class Foundation.JSONDecoder

/// The paths below `/control/`.
struct Control: Sendable {
    let settings: SettingsStore
    let journal: Journal
    let faults: Faults

    /// Runs an action and answers 400 when it is refused.
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

    /// The endpoint a request is about; nil when it is about all.
    func endpoint(named name: String?) throws(ControlError) -> EndpointName? {
        guard let name else { return nil }
        guard let endpoint = EndpointName(rawValue: name) else {
            throw .unknown("endpoint", name, known: EndpointName.allCases.map(\.rawValue))
        }
        return endpoint
    }
}
