package import HTTP
package import Sessions

/// One entry of a rule or a list: a subject, an e-mail address, or the domain of an e-mail address.
///
/// Its text is `subject=…`, `email=…` or `email-domain=…`.
package enum MemberPattern: Hashable, Sendable {
    case subject(String)
    case email(EmailAddress)
    case emailDomain(String)

    /// The reason why a text is not an entry, for the operator.
    struct Invalid: Error, CustomStringConvertible {
        let description: String

        fileprivate init(description: String) {
            self.description = description
        }

        fileprivate init(_ kind: String, _ value: Substring, _ remedy: String) {
            let article = kind.first == "e" ? "an" : "a"
            // In a rule, commas separate entries. So this is an entry of a list file.
            let advice = value.contains(",") ? "a list file has one entry in each line" : remedy
            description = "“\(value)” is not \(article) \(kind) that a member can have: \(advice)"
        }
    }

    /// - Throws: `Invalid` also for an entry that can match no member of the provider: a `deny` list with such an entry would
    ///   admit the member whom the operator meant.
    init(kind: Substring, value: Substring, of provider: MemberProvider) throws(Invalid) {
        switch kind {
        case "subject":
            guard provider.canHave(subject: String(value)) else { throw Invalid("subject", value, provider.subjects) }
            self = .subject(String(value))
        case "email":
            guard let address = EmailAddress(String(value)), provider.canHave(address) else {
                throw Invalid("e-mail address", value, "use ASCII with exactly one @, such as ada@example.com")
            }
            self = .email(address)
        case "email-domain":
            guard let domain = EmailAddress.domain(value.utf8), provider.canHave(domain: domain) else {
                throw Invalid(
                    "domain",
                    value,
                    "use ASCII without @, with a letter or digit at both ends, as in example.com"
                )
            }
            self = .emailDomain(domain)
        default:
            throw Invalid(description: "“\(kind)” is not an entry: use subject=, email= or email-domain=")
        }
    }

    package var isSubject: Bool { provider != nil }

    /// The provider of the member whom a subject names; nil for an entry about an e-mail address.
    package var provider: ProviderID? {
        guard case .subject(let subject) = self else { return nil }
        return Member(uniqueSubject: subject, issuer: "").provider
    }

    /// All entries that name an identity; those for its e-mail address only with `withEmail`.
    static func patterns(naming identity: Identity, withEmail: Bool) -> [MemberPattern] {
        var patterns: [MemberPattern] = []
        // Strings with different Unicode scalars may be equal, so only an ASCII subject can match.
        let subject = identity.uniqueSubject
        if subject.utf8.allSatisfy({ $0 < 0x80 }) { patterns.append(.subject(subject)) }
        if withEmail, let address = identity.email.flatMap(EmailAddress.init) {
            patterns += [.email(address), .emailDomain(address.domain)]
        }
        return patterns
    }
}
