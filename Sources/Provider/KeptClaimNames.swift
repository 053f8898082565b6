package import OpenID
package import Sessions

/// The names of the claims that sessions keep.
package struct KeptClaimNames: Sendable, Equatable {
    /// The names, each once.
    package let all: [String]
    /// The claim with the groups of a member, which is one of them.
    package let groups: String?

    package init(_ names: [String] = [], groups: String? = nil) {
        let wanted = (groups.map { [$0] } ?? []) + names
        all = wanted.enumerated().filter { wanted.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        self.groups = groups
    }

    package func contains(_ claim: ClaimName) -> Bool {
        switch claim {
        case .groups: groups != nil
        case .named(let name): all.contains(name)
        }
    }

    /// Whether the claims of an ID token lack one of them, so that userinfo may have more.
    package func areMissing(in claims: MemberClaims) -> Bool {
        all.contains { claims.value(of: $0) == .absent && !MemberClaims.isAboutSignIn($0) }
    }

    /// Keeps these claims of all that a provider sent.
    ///
    /// - Parameters:
    ///   - claims: What the provider sent.
    ///   - withSession: Whether to keep the provider's session too, if the provider sent it.
    /// - Returns: The claims; nil if there are none to keep.
    package func kept(of claims: MemberClaims, withSession: Bool = false) -> KeptClaims? {
        let session = KeptClaims.session
        var names = all
        if withSession, case .texts(let ids) = claims.value(of: session), ids.count == 1, ids != [""] {
            // First, because the limit of all claims leaves out the last ones.
            names = [session] + all.filter { $0 != session }
        }
        return KeptClaims(names.map { ($0, Self.content(claims.value(of: $0))) }, groups: groups)
    }

    private static func content(_ value: ClaimValue) -> KeptClaims.Content {
        switch value {
        case .texts(let texts): .values(texts)
        case .absent: .unusable(.absent)
        case .otherType: .unusable(.type)
        case .distributed: .unusable(.distributed)
        }
    }
}
