import Encoding
package import HTTP
import Sessions

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
    }

    init(kind: Substring, value: Substring) throws(Invalid) {
        switch kind {
        case "subject":
            guard !value.isEmpty, value.utf8.allSatisfy({ $0.isASCIIVisible }) else {
                throw Invalid(description: "“\(value)” is not a subject: use printable ASCII without spaces")
            }
            self = .subject(String(value))
        case "email":
            guard let address = EmailAddress(String(value)) else {
                throw Invalid(description: "“\(value)” is not an e-mail address: use ASCII with exactly one @")
            }
            self = .email(address)
        case "email-domain":
            guard let domain = EmailAddress.domain(value.utf8) else {
                throw Invalid(description: "“\(value)” is not a domain: use ASCII without @ and without a leading dot")
            }
            self = .emailDomain(domain)
        default:
            throw Invalid(description: "“\(kind)” is not an entry: use subject=, email= or email-domain=")
        }
    }

    package var isSubject: Bool {
        if case .subject = self { return true }
        return false
    }

    /// All entries that name an identity; with `trustingEmail` also those for an e-mail address that is not verified.
    static func patterns(naming identity: Identity, trustingEmail: Bool) -> [MemberPattern] {
        var patterns: [MemberPattern] = []
        // Strings with different Unicode scalars may be equal, so only an ASCII subject can match.
        if identity.subject.utf8.allSatisfy({ $0 < 0x80 }) { patterns.append(.subject(identity.subject)) }
        if identity.emailVerified || trustingEmail, let address = identity.email.flatMap(EmailAddress.init) {
            patterns += [.email(address), .emailDomain(address.domain)]
        }
        return patterns
    }
}
