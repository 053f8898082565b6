import Encoding
package import Sessions

package import struct FoundationEssentials.Date

/// The rule of a guarded location: conditions that must all hold, or `anyone`.
///
/// Examples: `member`, `email-domain=example.com deny=/etc/linkedin-signin/denied`, `anyone`. Spaces separate
/// conditions. Commas separate the values of a condition, and one matching value is enough.
///
/// `preflight` is not a condition: it also admits CORS preflights. `signed-in-within` is about the session, not the member:
/// the member can meet it by signing in again.
package struct Requirement: Sendable {
    /// Why a text is not a valid rule, for the operator.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    package let admitsAnyone: Bool
    /// Whether a CORS preflight passes without a session.
    package let admitsPreflight: Bool
    package let conditions: [Condition]
    /// Seconds since the sign-in after which the member must sign in again; nil for no limit.
    package let maximumAge: Int?

    /// Parses a rule.
    ///
    /// - Throws: `Invalid` for a text without a condition or with an unknown one.
    package init(_ text: String, lists: MemberLists) throws(Invalid) {
        let words = text.split(separator: " ")
        guard !words.isEmpty else {
            throw Invalid(description: "the rule is empty: write 'member' to admit everyone who is signed in")
        }
        admitsAnyone = words.contains("anyone")
        guard !admitsAnyone || words.count == 1 else {
            throw Invalid(description: "'anyone' cannot be combined with other conditions")
        }
        admitsPreflight = words.contains(Self.preflight)
        guard words.contains(where: { $0 != Self.preflight }) else {
            throw Invalid(description: "'preflight' needs another condition, such as 'member preflight'")
        }
        var conditions: [Condition] = []
        var ages: [Int] = []
        for word in words where !admitsAnyone && word != Self.preflight {
            if word.hasPrefix(Self.signedInWithin) {
                ages.append(try Self.age(word.dropFirst(Self.signedInWithin.count)))
            } else {
                conditions.append(try Condition.parse(word, lists: lists))
            }
        }
        self.conditions = conditions
        maximumAge = ages.min()
    }

    /// Judges a member.
    ///
    /// - Parameters:
    ///   - identity: The member.
    ///   - trustingProvider: Whether the settings trust the verified e-mail addresses of the member's provider.
    /// - Returns: The reason of the first condition that the member does not meet; nil if the rule admits the member.
    package func objection(to identity: Identity, trustingProvider: Bool) -> Denial? {
        for condition in conditions {
            if let objection = condition.objection(to: identity, trustingProvider: trustingProvider) {
                return objection
            }
        }
        return nil
    }

    /// Returns the claims of the rule for which a member is rejected with a reason.
    package func claims(of identity: Identity, rejectedBy denial: Denial) -> [ClaimName] {
        conditions.compactMap { condition in
            guard case .claim(let name, _) = condition,
                condition.objection(to: identity, trustingProvider: false) == denial
            else { return nil }
            return name
        }
    }

    /// Returns whether the member signed in so recently that the rule does not ask for a new sign-in.
    ///
    /// - Parameters:
    ///   - session: The member's session.
    ///   - now: Returns the current time; called only if the rule has a limit.
    /// - Returns: Always true for a rule without a limit.
    package func isRecent(_ session: CheckedSession, now: () -> Date) -> Bool {
        guard let maximumAge else { return true }
        let age = now().timeIntervalSince(session.created)
        // A creation time in the future means clock skew, or a clock that was set back.
        return age <= Double(maximumAge) && age > -Self.clockSkew
    }

    /// Seconds by which the clock of another machine may be ahead.
    private static let clockSkew = 60.0

    /// A shorter limit could end before the browser returns from the provider, and ask for another sign-in.
    private static let ages = 60...31_536_000

    private static func age(_ text: Substring) throws(Invalid) -> Int {
        guard let seconds = Quantity.seconds(String(text)), ages.contains(seconds) else {
            throw Invalid(description: "“\(text)” is not a time between 1m and 365d, such as 15m or 12h")
        }
        return seconds
    }

    private static let preflight: Substring = "preflight"
    private static let signedInWithin = "signed-in-within="
}
