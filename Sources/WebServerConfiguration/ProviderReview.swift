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
                let what = "no provider of the settings has the ID \(unknown.joined(separator: ", "))"
                return ("\(what): remove the guard, or correct the ID; the settings have \(known)", true)
            }
            return admitted.isEmpty ? ("nobody can meet all conditions provider= of this rule", true) : nil
        case .claim(let name, let values):
            return effect(of: name) ?? effect(of: name, values)
        case .anyOf(let entries, let kind):
            return kind == "subject" ? effect(of: entries, in: "this rule") : effect(ofAddress: "\(kind)=")
        case .emailVerified: return effect(ofAddress: "email-verified")
        case .allow(let list), .deny(let list): return effect(of: list.members ?? [], in: list.path)
        case .member: return nil
        }
    }

    /// Entries about members of providers that the site does not have.
    private func effect(of entries: Set<MemberPattern>, in place: String) -> (text: String, isProblem: Bool)? {
        let unknown = entries.compactMap(\.provider).filter { id in !providers.contains { $0.id == id } }
        guard let first = unknown.map(\.description).min() else { return nil }
        guard !unknown.contains(.linkedIn) else {
            let forms = providers.map { "subject=\($0.id)::IDENTIFIER" }.joined(separator: " or ")
            let what = "\(place) has subject= without the ID of a provider, which names a member of LinkedIn"
            return ("\(what), and the settings do not have LinkedIn: write \(forms)", true)
        }
        let count = "\(unknown.count) of \(entries.count) entries of \(place)"
        return ("\(count) match nobody, because the settings do not have their provider, such as \(first)", false)
    }

    /// A condition about e-mail addresses, if only some providers are trusted with them.
    private func effect(ofAddress condition: String) -> (text: String, isProblem: Bool)? {
        let others = admitted.filter { !$0.trustsEmail }
        guard !others.isEmpty, others.count < admitted.count else { return nil }
        let names = others.map(\.id.description).joined(separator: ", ")
        let reason = "\(Setting.providerTrustsEmail.name) is no"
        return ("no member of \(names) can meet \(condition), because \(reason) for this provider", false)
    }

    private func effect(of claim: ClaimName, _ values: [String]) -> (text: String, isProblem: Bool)? {
        let lower = values.map { $0.lowercased() }
        guard claim == .groups, !admitted.isEmpty, admitted.allSatisfy({ $0.preset == .github }),
            zip(values, lower).allSatisfy(!=)
        else { return nil }
        let text = "nobody can meet group=, because organizations and teams of GitHub are compared in lower case"
        return ("\(text): write group=\(lower.joined(separator: ","))", true)
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
