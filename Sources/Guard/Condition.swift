package import Sessions

/// One condition of a rule.
package enum Condition: Sendable {
    /// Every member who is signed in.
    case member
    /// The members that one of these entries names; all entries are of one kind.
    case anyOf(Set<MemberPattern>, kind: String)
    /// The members in the list.
    case allow(MemberList)
    /// The members who are not in the list.
    case deny(MemberList)
    /// Members of these providers.
    case provider(Set<ProviderID>)
    /// Members with a trusted e-mail address.
    case emailVerified
    /// Members whose claim has one of these values.
    case claim(ClaimName, [String])

    /// The list of the condition, if any.
    package var list: MemberList? {
        switch self {
        case .allow(let list), .deny(let list): list
        case .member, .anyOf, .provider, .emailVerified, .claim: nil
        }
    }

    /// The reason why a member does not meet the condition; nil if the member does.
    ///
    /// An e-mail address that is not verified, or of a provider whose addresses are not trusted, never admits a member, but a
    /// `deny` list rejects it.
    func objection(to identity: Identity, trustingProvider: Bool) -> Denial? {
        let isTrusted = identity.emailVerified && trustingProvider
        let distrust: Denial? = isTrusted ? nil : identity.emailVerified ? .emailUntrusted : .emailUnverified
        switch self {
        case .member:
            return nil
        case .anyOf(let patterns, let kind):
            let names = MemberPattern.patterns(naming: identity, withEmail: isTrusted)
            if names.contains(where: patterns.contains) { return nil }
            return kind == "subject" ? .notNamed : distrust ?? .notNamed
        case .allow(let list):
            let objection = Self.judged(list, identity, withEmail: isTrusted) { $0 ? nil : .notListed }
            guard objection == .notListed, distrust == .emailUntrusted else { return objection }
            return Self.judged(list, identity, withEmail: true) { $0 ? .emailUntrusted : .notListed }
        case .deny(let list):
            return Self.judged(list, identity, withEmail: true) { $0 ? .listed : nil }
        case .provider(let providers):
            return providers.contains(identity.provider) ? nil : .otherProvider
        case .emailVerified:
            return identity.email == nil ? .emailUnverified : distrust
        case .claim(let name, let values):
            return Denial(identity.claims?.compare(name, with: values) ?? .notKept)
        }
    }

    /// Returns the judgment about whether a list names an identity; the fault of the list, if it has one.
    private static func judged(
        _ list: MemberList,
        _ identity: Identity,
        withEmail: Bool,
        _ judge: (Bool) -> Denial?
    ) -> Denial? {
        switch list.content {
        case .success(let members):
            let names = MemberPattern.patterns(naming: identity, withEmail: withEmail)
            return judge(names.contains(where: members.contains))
        case .failure(let fault):
            return fault.denial
        }
    }
}

extension Denial {
    /// Nil if the claim has a value that the rule names.
    init?(_ comparison: KeptClaims.Comparison) {
        switch comparison {
        case .equal: return nil
        case .different: self = .claimDiffers
        case .notKept: self = .claimNotKept
        case .unusable(let fault): self.init(fault)
        }
    }

    init(_ fault: ClaimFault) {
        switch fault {
        case .absent: self = .claimAbsent
        case .type: self = .claimType
        case .tooLarge: self = .claimTooLarge
        case .distributed: self = .claimDistributed
        }
    }
}
