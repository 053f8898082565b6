import Sessions

/// One condition of a rule.
package enum Condition: Sendable {
    /// Anybody who is signed in.
    case member
    /// One of these members; all values of one condition are of one kind.
    case anyOf(Set<MemberPattern>, kind: String)
    /// Whoever stands in the list.
    case allow(MemberList)
    /// Whoever does not.
    case deny(MemberList)

    /// The list that it reads, if any.
    package var list: MemberList? {
        switch self {
        case .allow(let list), .deny(let list): list
        case .member, .anyOf: nil
        }
    }

    /// Why this condition does not hold; nil if it does.
    ///
    /// An address that nobody verified opens nothing, but closes what a list denies to it.
    func objection(to identity: Identity) -> Denial? {
        switch self {
        case .member:
            return nil
        case .anyOf(let patterns, let kind):
            let names = MemberPattern.patterns(naming: identity, trustingEmail: false)
            if names.contains(where: patterns.contains) { return nil }
            return kind != "subject" && !identity.emailVerified ? .emailUnverified : .notNamed
        case .allow(let list):
            guard let members = list.members else { return .listUnreadable }
            let names = MemberPattern.patterns(naming: identity, trustingEmail: false)
            return names.contains(where: members.contains) ? nil : .notListed
        case .deny(let list):
            guard let members = list.members else { return .listUnreadable }
            let names = MemberPattern.patterns(naming: identity, trustingEmail: true)
            return names.contains(where: members.contains) ? .listed : nil
        }
    }
}
