import Guard
import Provider
import Sessions
import Settings

/// Finds conditions about providers and claims that nobody can meet with the settings.
struct ProviderReview {
    private let conditions: [Condition]
    private let providers: [RuleProvider]
    /// The providers whose members the rule can admit.
    private let admitted: [RuleProvider]

    init(of conditions: [Condition], _ providers: [RuleProvider]) {
        (self.conditions, self.providers) = (conditions, providers)
        admitted = providers.filter { provider in
            conditions.allSatisfy { condition in
                guard case .provider(let named) = condition else { return true }
                return named.contains(provider.id)
            }
        }
    }

    var effects: [(text: String, isProblem: Bool)] { conditions.compactMap(effect) }

    private func effect(of condition: Condition) -> (text: String, isProblem: Bool)? {
        switch condition {
        case .provider(let named):
            let unknown = named.filter { id in !providers.contains { $0.id == id } }.map(\.description).sorted()
            guard unknown.isEmpty else {
                let known = providers.map(\.id.description).joined(separator: ", ")
                return (
                    "no provider of the settings has the ID \(unknown.joined(separator: ", ")): write \(known)", true
                )
            }
            return admitted.isEmpty ? ("nobody can meet all conditions provider= of this rule", true) : nil
        case .claim(let name, _):
            return effect(of: name)
        case .member, .anyOf, .allow, .deny, .emailVerified:
            return nil
        }
    }

    private func effect(of claim: ClaimName) -> (text: String, isProblem: Bool)? {
        let others = admitted.filter { !$0.keptClaims.contains(claim) }
        guard !others.isEmpty else { return nil }
        let (condition, setting) =
            switch claim {
            case .groups: ("group=", Setting.providerGroups.name)
            case .named(let name): ("claim:\(name)=", Setting.providerClaims.name)
            }
        guard others.count < admitted.count else {
            return ("nobody can meet \(condition), because sessions do not keep this claim: set \(setting)", true)
        }
        let names = others.map(\.id.description).joined(separator: ", ")
        return ("no member of \(names) can meet \(condition), because their sessions do not keep this claim", false)
    }
}
