import EventLog
import Sessions

@testable import Guard

/// A rule and, on the following lines, a member's e-mail address, subject and name, which is also the value of claims.
///
/// A rule must name every member that it admits, and identity headers must be one line of ASCII that can be decoded.
enum RuleInput {
    static func take(_ input: [UInt8]) {
        let lines = input.split(separator: 0x0a, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let rule = lines[0]
        // These conditions would read files.
        guard !rule.contains("allow="), !rule.contains("deny=") else { return }
        let email = lines.count > 1 ? lines[1] : "ada@example.com"
        let subject = lines.count > 2 ? lines[2] : "ada"
        let group = lines.count > 3 ? lines[3] : "staff"
        checkFields([email, subject] + lines.dropFirst(3))
        guard let requirement = try? Requirement(rule, lists: MemberLists(log: Log { _ in })) else { return }
        let identity = Identity(
            provider: .linkedIn,
            issuer: "i",
            subject: subject,
            name: nil,
            email: email,
            emailVerified: true,
            claims: KeptClaims(
                [("roles", .values(["other", group])), ("acr", .values([group])), ("level", .unusable(.type))],
                groups: "roles"
            )
        )
        for isTrusted in [true, false] {
            guard !requirement.admitsAnyone, requirement.objection(to: identity, trustingProvider: isTrusted) == nil
            else { continue }
            for word in rule.split(separator: " ") {
                check(word, names: email, or: subject, in: group, isTrusted)
            }
        }
    }

    /// Answers the same question without the types of the rules.
    private static func check(
        _ word: Substring,
        names email: String,
        or subject: String,
        in group: String,
        _ isTrusted: Bool
    ) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let values = parts.count > 1 ? parts[1].split(separator: ",").map { Array($0.utf8) } : []
        let texts = parts.count > 1 ? parts[1].utf8.split(separator: UInt8(ascii: ",")).map(decoded) : []
        let address = Array(email.utf8).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
        let folded = values.map { $0.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }
        switch parts[0] {
        case "member", "preflight", "signed-in-within": break
        case "email-verified": precondition(isTrusted, "an address that is not trusted was admitted")
        case "subject": precondition(values.contains(Array(subject.utf8)), "an unnamed subject was admitted")
        case "email": precondition(isTrusted && folded.contains(address), "an unnamed address was admitted")
        case "email-domain":
            let at = address.lastIndex(of: UInt8(ascii: "@")) ?? 0
            precondition(isTrusted, "a domain that is not trusted was admitted")
            precondition(folded.contains(Array(address[at...].dropFirst())), "another domain was admitted")
            precondition(address.count { $0 == UInt8(ascii: "@") } == 1, "an address with more than one @ was admitted")
        case "provider": precondition(texts.contains(Array("linkedin".utf8)), "another provider was admitted")
        case "group", "claim:roles":
            precondition(texts.contains { $0 == Array(group.utf8) || $0 == Array("other".utf8) }, "no group was named")
        case "acr", "claim:acr": precondition(texts.contains(Array(group.utf8)), "another value was admitted")
        case "amr": preconditionFailure("a claim that is not kept was admitted")
        case let name where name.hasPrefix("claim:"): preconditionFailure("a claim without a value was admitted")
        default: preconditionFailure("an unknown condition was accepted")
        }
    }

    private static func checkFields(_ texts: [String]) {
        for text in texts {
            let value = IdentityFields.value(text)
            precondition(value.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a value is not printable ASCII")
            guard value.hasPrefix("UTF-8''") else {
                precondition(value.utf8.elementsEqual(text.utf8), "a plain value was changed")
                continue
            }
            precondition(decoded(value.utf8.dropFirst(7)).elementsEqual(text.utf8), "a value cannot be decoded")
        }
    }

    private static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            rest = rest.dropFirst(2)
            result.append(UInt8(digits, radix: 16) ?? 0)
        }
        return result
    }
}
