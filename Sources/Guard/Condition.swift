import Sessions

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

    /// The list of the condition, if any.
    package var list: MemberList? {
        switch self {
        case .allow(let list), .deny(let list): list
        case .member, .anyOf: nil
        }
    }

    /// The reason why a member does not meet the condition; nil if the member does.
    ///
    /// An e-mail address that is not verified never admits a member, but a `deny` list rejects it.
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
