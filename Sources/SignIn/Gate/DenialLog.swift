import EventLog
import Guard
import HTTP
import Sessions

/// Logs the requests that guarded locations reject.
struct DenialLog: Sendable {
    let rules: Rules
    /// The names of what applications get.
    let fields: IdentityFields.Names
    let log: Log
    let emailField: EmailField

    /// Logs a denied request: a rule rejects the member, or the configuration is wrong.
    ///
    /// - Parameters:
    ///   - denial: Why the request is denied.
    ///   - identity: The member.
    ///   - token: The personal token of the request.
    ///   - request: The request.
    func denied(_ denial: Denial, _ identity: Identity?, _ token: PersonalTokenID?, _ request: Request) {
        var (detail, claims) = ("", [ClaimName]())
        switch rules.reading(request.requirement) {
        case .failure(let invalid):
            if denial == .ruleInvalid { detail = "SIGNIN_REQUIRE: \(invalid)" }
        case .success(let rule):
            guard let identity else { break }
            claims = rule.claims(of: identity, rejectedBy: denial)
            if claims.isEmpty { claims = fields.claims(of: identity, rejectedBy: denial) }
        }
        let level = denial.isMisconfiguration ? LogLevel.error : .warning
        // Names only: a value can be confidential.
        let claim = claims.map(\.description).joined(separator: ",")
        let fields =
            emailField(of: identity) + request.guardedPlace
            + [("detail", detail), ("claim", claim), ("token", token?.description ?? "")]
        let member = identity?.member
        log(LogEvent(level, .accessDenied, of: request, reason: denial.rawValue, member: member, fields: fields))
    }

    /// Logs that a guarded location did not accept a personal token.
    func refused(_ objection: TokenObjection, of id: PersonalTokenID?, _ request: Request) {
        let fields = request.guardedPlace + [("token", id?.description ?? "")]
        log(LogEvent(.warning, .personalTokenRefused, of: request, reason: objection.rawValue, fields: fields))
    }
}
