import Guard
import Provider
import Sessions
import Settings

/// How the settings change the effect of the conditions of a rule.
struct ConditionReview {
    /// What an operator must know about a condition, and whether nobody can meet the condition.
    typealias Effect = (text: String, isProblem: Bool)

    private let conditions: [Condition]
    /// Nil if the settings are not known.
    private let providers: [RuleProvider]?
    /// The providers whose members the rule can admit.
    private let admitted: [RuleProvider]
    /// Why the site trusts no e-mail address; nil if it trusts some.
    private let distrust: (reason: String, isOfProduct: Bool)?

    init(of conditions: [Condition], _ settings: RuleSettings) {
        (self.conditions, providers) = (conditions, settings.providers)
        let all = settings.providers ?? []
        admitted = all.filter { provider in
            conditions.allSatisfy { condition in
                guard case .provider(let named) = condition else { return true }
                return named.contains(provider.id)
            }
        }
        let others = all.filter { $0.id != .linkedIn }
        if let product = settings.product, !product.givesVerifiedEmail, !others.contains(where: \.trustsEmail) {
            distrust = ("\(Setting.product.name)=\(product.rawValue) gives no verified e-mail address", true)
        } else if settings.providers?.contains(where: \.trustsEmail) == false {
            distrust = ("\(Setting.providerTrustsEmail.name) is no", false)
        } else {
            distrust = nil
        }
    }

    var effects: [Effect] { conditions.flatMap { effects(of: $0).compactMap(\.self) } }

    private func effects(of condition: Condition) -> [Effect?] {
        switch condition {
        case .member: []
        case .provider(let named): [effect(ofProviders: named)]
        case .claim(let name, let values): [effect(of: name) ?? effect(of: name, values)]
        case .emailVerified: [distrusted("email-verified"), effect(ofAddress: "email-verified")]
        case .anyOf(let entries, "subject"): [effect(of: entries, in: "this rule")]
        case .anyOf(_, let kind):
            [distrusted("\(kind)=", "use subject=", ", or another product"), effect(ofAddress: "\(kind)=")]
        case .allow(let list):
            [
                effect(ofAddresses: list, "nobody can meet allow=\(list.path)"),
                effect(of: list.members ?? [], in: list.path),
            ]
        case .deny(let list):
            [
                // A `deny` list also rejects by an address that is not trusted.
                distrust?.isOfProduct == true ? effect(ofAddresses: list, "deny=\(list.path) rejects nobody") : nil,
                effect(of: list.members ?? [], in: list.path),
            ]
        }
    }

    /// A condition that nobody can meet without a trusted e-mail address.
    private func distrusted(_ condition: String, _ remedy: String = "", _ ofProduct: String = "") -> Effect? {
        distrust.map { distrust in
            let what = "nobody can meet \(condition), because \(distrust.reason)"
            return (remedy.isEmpty ? what : "\(what): \(remedy)\(distrust.isOfProduct ? ofProduct : "")", true)
        }
    }

    private func effect(ofProviders named: Set<ProviderID>) -> Effect? {
        guard let providers else { return nil }
        let unknown = named.filter { id in !providers.contains { $0.id == id } }.map(\.description).sorted()
        guard unknown.isEmpty else {
            let known = providers.map(\.id.description).joined(separator: ", ")
            let what = "no provider of the settings has the ID \(unknown.joined(separator: ", "))"
            return ("\(what): remove the guard, or correct the ID; the settings have \(known)", true)
        }
        return admitted.isEmpty ? ("nobody can meet all conditions provider= of this rule", true) : nil
    }

    /// Entries of a list that name e-mail addresses or domains.
    private func effect(ofAddresses list: MemberList, _ effect: String) -> Effect? {
        let entries = list.members ?? []
        let useless = entries.count { !$0.isSubject }
        guard let distrust, useless > 0 else { return nil }
        guard useless == entries.count else {
            let share = "\(useless) of \(entries.count) entries of \(list.path)"
            return ("\(share) name e-mail addresses or domains and have no effect, because \(distrust.reason)", false)
        }
        let why = "all its entries name e-mail addresses or domains, and \(distrust.reason)"
        let product = distrust.isOfProduct ? ", or use another product" : ""
        return ("\(effect), because \(why): list members with subject=\(product)", true)
    }

    /// Entries about members of providers that the site does not have.
    private func effect(of entries: Set<MemberPattern>, in place: String) -> Effect? {
        guard let providers else { return nil }
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
    private func effect(ofAddress condition: String) -> Effect? {
        let others = admitted.filter { !$0.trustsEmail }
        guard !others.isEmpty, others.count < admitted.count else { return nil }
        let names = others.map(\.id.description).joined(separator: ", ")
        let reason = "\(Setting.providerTrustsEmail.name) is no"
        return ("no member of \(names) can meet \(condition), because \(reason) for this provider", false)
    }

    private func effect(of claim: ClaimName, _ values: [String]) -> Effect? {
        let lower = values.map { $0.lowercased() }
        guard claim == .groups, !admitted.isEmpty, admitted.allSatisfy({ $0.preset == .github }),
            zip(values, lower).allSatisfy(!=)
        else { return nil }
        let text = "nobody can meet group=, because organizations and teams of GitHub are compared in lower case"
        return ("\(text): write group=\(lower.joined(separator: ","))", true)
    }

    /// Groups that are meant as those of one provider, and that anybody can make at another one.
    var warnings: [String] {
        conditions.compactMap { condition in
            guard case .claim(let claim, let values) = condition else { return nil }
            let keeping = admitted.filter { $0.keptClaims.contains(claim) }
            let open = keeping.first { provider in
                provider.hasOpenGroups && (claim == .groups || claim == provider.keptClaims.groups.map(ClaimName.named))
            }
            guard keeping.count > 1, let open, let group = values.first(where: open.canNameGroup) else { return nil }
            let number = open.preset == .github ? ", or write id:NUMBER if you mean the organization of \(open.id)" : ""
            return
                "the group “\(group)” of this rule can also be one of \(open.id), where anybody can make an organization or a "
                + "group of this name: add provider= with the provider that you mean\(number)"
        }
    }

    private func effect(of claim: ClaimName) -> Effect? {
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

extension RuleProvider {
    /// Whether a group can have this name at a provider where anybody can make groups.
    fileprivate func canNameGroup(_ group: String) -> Bool {
        guard let first = group.first, first != "/" else { return false }
        return group.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
            && (preset != .github || group == group.lowercased())
    }
}
