import Encoding
import HTTP
import Sessions

/// Who identifies the members, and so decides which subjects and e-mail addresses a member can have.
package enum MemberProvider: Sendable, Equatable {
    /// LinkedIn, which identifies a member by the address of the profile with the product `v1`, and by ten characters with
    /// every other product; `withOthers` if other providers also identify members.
    case linkedIn(byAddress: Bool = false, withOthers: Bool = false)
    /// A provider that replaces LinkedIn, or several providers without LinkedIn.
    case other

    func canHave(subject: String) -> Bool {
        let isAddress = subject.hasPrefix("https://")
        guard 1...(isAddress ? 2048 : 255) ~= subject.utf8.count, subject.utf8.allSatisfy(Self.isOfSubject) else {
            return false
        }
        // Before `::`, the subject of another provider has the ID of the provider.
        if hasOthers, Member(uniqueSubject: subject, issuer: "").provider != .linkedIn { return true }
        switch self {
        case .linkedIn(byAddress: true, _): return isAddress
        case .linkedIn(byAddress: false, _):
            return subject.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
        case .other: return true
        }
    }

    private var hasOthers: Bool {
        switch self {
        case .linkedIn(_, let withOthers): withOthers
        case .other: true
        }
    }

    /// What a subject is, for the operator.
    var subjects: String {
        switch self {
        case .linkedIn(byAddress: true, _):
            "with the product v1, LinkedIn identifies a member by the address of the profile, which begins with https://"
        case .linkedIn(byAddress: false, let withOthers):
            "LinkedIn's identifiers have only ASCII letters, digits, - and _, such as 782bbtaQ"
                + (withOthers ? "; write the ID of another provider before its subject, as in google::1084" : "")
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
        return domain.utf8.count <= 253 && (hasOthers || labels.count > 1)
            && labels.allSatisfy { 1...63 ~= $0.count && $0.first != hyphen && $0.last != hyphen }
            && labels.last?.allSatisfy(\.isASCIIDigit) == false
    }

    private static func isOfSubject(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._~|@:/?&+=%".utf8.contains(byte)
    }
}
