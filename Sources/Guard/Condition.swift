import HTTP
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

extension Condition {
    private typealias Invalid = Requirement.Invalid

    /// What a rule can consist of, as messages and help show it.
    package static let known =
        "anyone, member, subject=, email=, email-domain=, email-verified, provider=, group=, claim:NAME=, acr=, amr=, allow=, "
        + "deny=, signed-in-within= and preflight"

    /// Parses one word of a rule.
    ///
    /// - Throws: `Requirement.Invalid` for a word that the parser does not fully understand.
    static func parse(_ word: Substring, lists: MemberLists) throws(Requirement.Invalid) -> Condition {
        if word == "member" { return .member }
        if word == "email-verified" { return .emailVerified }
        guard let equals = word.firstIndex(of: "=") else {
            guard !known.contains(" \(word)=") else {
                throw Invalid(description: "“\(word)” lacks its value: write \(word)=VALUE, without spaces around =")
            }
            throw Invalid(description: "“\(word)” is not a condition; the conditions are \(known)")
        }
        let name = word[..<equals]
        let value = word[equals...].dropFirst()
        guard !value.split(separator: ",", omittingEmptySubsequences: false).contains("") else {
            throw Invalid(
                description:
                    "“\(word)” lacks a value: separate values by a comma without a space, as in email=A,B, and write no "
                    + "space after ="
            )
        }
        switch name {
        case "allow": return .allow(lists.list(at: try path(value)))
        case "deny": return .deny(lists.list(at: try path(value)))
        case "subject", "email", "email-domain": return try patterns(kind: name, values: value, of: lists.provider)
        case "provider": return .provider(Set(try providers(value)))
        case "group": return .claim(.groups, try texts(value))
        case "acr", "amr": return .claim(.named(String(name)), try texts(value))
        case _ where name.hasPrefix("claim:"):
            let claim = name.dropFirst("claim:".count)
            guard ClaimName.isName(claim) else { throw Invalid(description: "“\(claim)” is not the name of a claim") }
            return .claim(.named(String(claim)), try texts(value))
        default: throw Invalid(description: "“\(name)” is not a condition; the conditions are \(known)")
        }
    }

    private static func path(_ text: Substring) throws(Invalid) -> String {
        guard text.hasPrefix("/") else { throw Invalid(description: "“\(text)” is not an absolute path") }
        return String(text)
    }

    private static func providers(_ values: Substring) throws(Invalid) -> [ProviderID] {
        try values.split(separator: ",", omittingEmptySubsequences: false).map { value throws(Invalid) in
            guard let provider = ProviderID(String(value)) else {
                throw Invalid(
                    description: "“\(value)” is not the ID of a provider: it has lower-case letters, digits and hyphens"
                )
            }
            return provider
        }
    }

    /// The values of a claim, in which `%` and two hexadecimal digits stand for a byte that a rule cannot contain.
    private static func texts(_ values: Substring) throws(Invalid) -> [String] {
        // Empty values are rejected: an unset variable in the web server's configuration produces one.
        try values.split(separator: ",", omittingEmptySubsequences: false).map { value throws(Invalid) in
            guard !value.isEmpty, value.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), let text = Percent.decode(value) else {
                throw Invalid(
                    description:
                        "“\(value)” is not a value of a claim: use printable ASCII, %20 for a space, %2C for a comma, "
                        + "%25 for a percent sign and %C3%AB for ë"
                )
            }
            return text
        }
    }

    private static func patterns(
        kind: Substring,
        values: Substring,
        of provider: MemberProvider
    ) throws(Invalid) -> Condition {
        var patterns: Set<MemberPattern> = []
        // Empty values are kept and then rejected: an unset variable in the web server's configuration produces one.
        for value in values.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(MemberPattern.Invalid) {
                patterns.insert(try MemberPattern(kind: kind, value: value, of: provider))
            } catch {
                throw Invalid(description: error.description)
            }
        }
        return .anyOf(patterns, kind: String(kind))
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
