/// What a provider says about a session that ended at the provider (OpenID Connect Back-Channel Logout 1.0 §2.4).
package struct LogoutNotice: Sendable {
    package let provider: ProviderID
    /// Nil if the provider names only its session.
    package let member: Member?
    /// The provider's session; nil if all sessions of the member end.
    package let session: String?

    package init(provider: ProviderID, member: Member?, session: String?) {
        (self.provider, self.member, self.session) = (provider, member, session)
    }

    /// Whether the session with an identity ends.
    ///
    /// A session of the member that keeps no session of the provider may be of any, so it ends too.
    package func ends(_ identity: Identity) -> Bool {
        guard identity.provider == provider, member == nil || member == identity.member else { return false }
        guard let session else { return member != nil }
        switch identity.claims?.compare(.named(KeptClaims.session), with: [session]) ?? .notKept {
        case .equal: return true
        case .different: return false
        case .unusable, .notKept: return member != nil
        }
    }
}
