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
            return Self.judged(list, identity, trustingEmail: false) { $0 ? nil : .notListed }
        case .deny(let list):
            return Self.judged(list, identity, trustingEmail: true) { $0 ? .listed : nil }
        }
    }

    /// Returns the judgment about whether a list names an identity; the fault of the list, if it has one.
    private static func judged(
        _ list: MemberList,
        _ identity: Identity,
        trustingEmail: Bool,
        _ judge: (Bool) -> Denial?
    ) -> Denial? {
        switch list.content {
        case .success(let members):
            let names = MemberPattern.patterns(naming: identity, trustingEmail: trustingEmail)
            return judge(names.contains(where: members.contains))
        case .failure(let fault):
            return fault.denial
        }
    }
}
