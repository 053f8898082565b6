/// What is wrong with a control request.
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
            case .misplaced(let fault, let endpoint): "\(fault.rawValue) does not apply to \(endpoint.rawValue)"
            }
        return .json(["error": .string(text)], status: 400)
    }
}
