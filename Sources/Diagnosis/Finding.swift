import Settings

/// Something that an operator should know, with what to do about it.
package struct Finding: Sendable, Equatable {
    package let code: FindingCode
    /// The line that set a value, as `file:line`; nil if no line did.
    let place: String?
    /// The setting, file, address or location that it is about.
    package internal(set) var subject: String
    /// What was seen.
    package let what: String
    /// The lines to change or the commands to run, in order of likelihood.
    package internal(set) var remedies: [String]
    /// The units that a remedy restarts; nil if none does.
    let restart: UnitCommands?
    /// Whether what was seen or a remedy names a command that restarts the service.
    let restarts: Bool
    /// Other findings with the same cause.
    package internal(set) var consequences: [String] = []
    /// What fails by itself.
    private(set) var causes: Set<Cause>
    /// What explains this finding if all of it fails; empty if the finding has a cause of its own.
    private(set) var explainedBy: Set<Cause>
    /// The directives of systemd units that it is about.
    let directives: Set<String>

    /// The same about one of several providers.
    func about(provider id: String) -> Finding {
        let own = { (causes: Set<Cause>) in Set(causes.map { Cause.ofProvider(id, $0) }) }
        var finding = self
        finding.subject = "\(id): \(subject)"
        finding.causes.formUnion(own(causes))
        finding.explainedBy = own(explainedBy)
        return finding
    }

    /// What was seen, and what to do first.
    var message: String { ([what] + remedies.prefix(1)).joined(separator: "; ") }

    /// The subject after its place.
    var located: String { ConfigurationError.Problem(subject: subject, message: what, place: place).located }
}

extension Finding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case code, severity, subject, what, why, remedies, also
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(code.severity.rawValue, forKey: .severity)
        try container.encode(located, forKey: .subject)
        try container.encode(what, forKey: .what)
        try container.encode(code.reason, forKey: .why)
        try container.encode(remedies, forKey: .remedies)
        if !consequences.isEmpty { try container.encode(consequences, forKey: .also) }
    }
}
