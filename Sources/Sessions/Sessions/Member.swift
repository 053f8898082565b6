import Encoding

import struct Crypto.SHA256

/// The name of a provider in this program, which stays when the provider's issuer changes.
package struct ProviderID: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil unless the text has 1 to 32 lower-case ASCII letters, digits and hyphens.
    package init?(_ text: String) {
        guard 1...32 ~= text.utf8.count, text.utf8.allSatisfy(Self.isPart) else { return nil }
        description = text
    }

    private init(known text: String) { description = text }

    /// The ID of a provider for which the settings have none.
    ///
    /// It ends in a hash of the issuer, so that two issuers of one host have different IDs.
    package init(host: String, issuer: String) {
        let name = host.utf8.prefix(23).map { Self.isPart($0) ? $0 : UInt8(ascii: "-") }
        let hash = SHA256.hash(data: Array(issuer.utf8)).prefix(4).map { byte in
            String(byte / 16, radix: 16) + String(byte % 16, radix: 16)
        }
        description = String(decoding: name, as: UTF8.self) + "-" + hash.joined()
    }

    /// The provider of every record without a provider.
    package static var linkedIn: ProviderID { ProviderID(known: "linkedin") }

    fileprivate static func isPart(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }
}

/// What identifies a member: the provider, and the member's subject there.
///
/// Nothing else does: the same subject at two providers is two people, and two issuers of one provider are not.
package struct Member: Sendable, Hashable {
    package let provider: ProviderID
    package let subject: String
    /// The issuer of a sign-in of the member, for people and for names in stores.
    ///
    /// It does not identify the member.
    package let issuer: String

    package init(provider: ProviderID, subject: String, issuer: String) {
        (self.provider, self.subject, self.issuer) = (provider, subject, issuer)
    }

    /// Compares bytes: texts of other bytes that Unicode treats as equal are different subjects.
    package static func == (left: Member, right: Member) -> Bool {
        left.provider == right.provider && left.subject.utf8.elementsEqual(right.subject.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(provider)
        hasher.combine(subject)
    }

    /// The name of the member in a store: a hash.
    ///
    /// LinkedIn's members have one for each issuer, because versions of the program without provider IDs named them so.
    package var storedName: [UInt8] {
        // A NUL separates the parts: no issuer and no ID contains one, and no issuer is empty.
        let place = provider == .linkedIn ? Array(issuer.utf8) : [0] + Array(provider.description.utf8)
        return Array(SHA256.hash(data: place + [0] + Array(subject.utf8)))
    }

    /// The length of a stored name, in bytes.
    package static let storedNameCount = 32

    /// The subject as rules and applications know it, which no two members share.
    ///
    /// It is LinkedIn's subject, unchanged; for another provider, the provider's ID, `::` and the subject.
    package var uniqueSubject: String {
        guard provider != .linkedIn || Self.parts(of: subject) != nil else { return subject }
        return "\(provider)::\(subject)"
    }

    /// The member of a unique subject.
    package init(uniqueSubject text: String, issuer: String) {
        guard let (provider, subject) = Self.parts(of: text) else {
            self.init(provider: .linkedIn, subject: text, issuer: issuer)
            return
        }
        self.init(provider: provider, subject: subject, issuer: issuer)
    }

    /// A provider's ID and a subject with `::` between them; nil for another text.
    private static func parts(of text: String) -> (ProviderID, subject: String)? {
        let id = text.utf8.prefix(while: ProviderID.isPart)
        let rest = text[id.endIndex...]
        guard rest.utf8.starts(with: "::".utf8), let provider = ProviderID(String(text[..<id.endIndex])) else {
            return nil
        }
        return (provider, String(rest.dropFirst(2)))
    }
}

extension Identity {
    /// A member of whom nothing else is known.
    package init(_ member: Member) {
        self.init(provider: member.provider, issuer: member.issuer, subject: member.subject)
    }

    /// What identifies the member.
    package var member: Member { Member(provider: provider, subject: subject, issuer: issuer) }

    /// The subject as rules and applications know it, which no two members share.
    package var uniqueSubject: String { member.uniqueSubject }
}

/// The issuers by which a store may have named LinkedIn's members.
package struct FormerIssuers: Sendable {
    private let issuers: [String]

    /// - Parameter issuers: the accepted issuers of LinkedIn, or of the server that replaces it.
    package init(_ issuers: [String] = []) { self.issuers = issuers }

    /// The member with each issuer under which the store may have something, the member's own first.
    package func spellings(of member: Member) -> [Member] {
        guard member.provider == .linkedIn else { return [member] }
        return [member]
            + issuers.filter { $0 != member.issuer }.map {
                Member(provider: member.provider, subject: member.subject, issuer: $0)
            }
    }

    /// The names of the member in the store.
    package func names(of member: Member) -> [[UInt8]] { spellings(of: member).map(\.storedName) }
}
