import class Foundation.ProcessInfo

/// A parser that is tested with arbitrary bytes.
///
/// Each target accepts any input and stops the process if a rule that must hold for all inputs is broken.
enum Target: String, CaseIterable {
    case answer
    case cookie
    case form
    case idToken = "id-token"
    case kept
    case parameters
    case records
    case resume
    case returnPath = "return-path"
    case rule
    case server
    case session
    case template
    case token

    /// The target in the environment variable, because libFuzzer uses the command line.
    static let chosen: Target = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = Target(rawValue: name) else {
            fatalError("FUZZ_TARGET must be one of \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return target
    }()

    func take(_ input: [UInt8]) {
        switch self {
        case .answer: AnswerInput.take(input)
        case .cookie: CookieInput.take(input)
        case .form: FormInput.take(input)
        case .idToken: IDTokenInput.take(input)
        case .kept: KeptInput.take(input)
        case .parameters: ParametersInput.take(input)
        case .records: RecordsInput.take(input)
        case .resume: KeptFormCookiesInput.take(input)
        case .returnPath: ReturnPathInput.take(input)
        case .rule: RuleInput.take(input)
        case .server: ServerInput.take(input)
        case .session: SessionInput.take(input)
        case .template: TemplateInput.take(input)
        case .token: TokenInput.take(input)
        }
    }
}
