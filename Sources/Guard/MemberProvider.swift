import Encoding
import HTTP

/// Who identifies the members, and so decides which subjects and e-mail addresses a member can have.
package enum MemberProvider: Sendable {
    case linkedIn
    /// A provider that replaces LinkedIn.
    case other

    /// LinkedIn's identifiers have ten characters; with the product `v1`, the address of the profile takes their place.
    func canHave(subject: some StringProtocol) -> Bool {
        if subject.hasPrefix("https://") {
            return subject.utf8.count <= 2048 && subject.utf8.allSatisfy(Self.isOfSubject)
        }
        guard 1...255 ~= subject.utf8.count else { return false }
        switch self {
        case .linkedIn: return subject.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
        case .other: return subject.utf8.allSatisfy(Self.isOfSubject)
        }
    }

    /// What a subject is, for the operator.
    var subjects: String {
        switch self {
        case .linkedIn: "LinkedIn's identifiers have only ASCII letters, digits, - and _, such as 782bbtaQ"
        case .other: "use ASCII letters, digits and -._~|@:/?&+=%"
        }
    }

    /// Whether a mail server can have the address (RFC 5321 §4.5.3.1).
    ///
    /// `*` is permitted there, but means a pattern here, which `email-domain=` is for.
    func canHave(_ address: EmailAddress) -> Bool {
        address.local.utf8.count <= 64 && !address.local.utf8.contains(UInt8(ascii: "*"))
            && canHave(domain: address.domain)
    }

    /// Whether the domain can be part of an e-mail address (RFC 1035 §2.3.4, RFC 1123 §2.1).
    ///
    /// LinkedIn's members have addresses on the Internet; a company can have names without a dot.
    func canHave(domain: String) -> Bool {
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return domain.utf8.count <= 253 && (self == .other || labels.count > 1)
            && labels.allSatisfy { 1...63 ~= $0.count && $0.first != hyphen && $0.last != hyphen }
            && labels.last?.allSatisfy(\.isASCIIDigit) == false
    }

    private static func isOfSubject(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._~|@:/?&+=%".utf8.contains(byte)
    }
}
