/// The page with the three controls.
package struct HomePage: Sendable, Equatable {
    /// Nil while signed out.
    package var signedIn: SignedInMember?
    /// Nil until it was fetched; linked to only if it is an `ExternalLink`.
    package var profileURL: String?
    /// Says beforehand that the provider gives this site no profile link.
    package var explainsMissingLink: Bool

    package init(signedIn: SignedInMember? = nil, profileURL: String? = nil, explainsMissingLink: Bool = false) {
        self.signedIn = signedIn
        self.profileURL = profileURL
        self.explainsMissingLink = explainsMissingLink
    }
}
