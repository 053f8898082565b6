/// The page to sign in, and to see who is signed in.
package struct HomePage: Sendable, Equatable {
    /// Nil while signed out.
    package var signedIn: SignedInMember?
    /// Nil until it was fetched; linked to only if it is an `ExternalLink`.
    package var profileURL: String?
    /// Whether the provider gives this site profile links, so that fetching one is a step.
    package var offersLink: Bool

    package init(signedIn: SignedInMember? = nil, profileURL: String? = nil, offersLink: Bool = true) {
        self.signedIn = signedIn
        self.profileURL = profileURL
        self.offersLink = offersLink
    }
}
