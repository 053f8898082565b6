/// The home page, where a visitor signs in and a member sees the account.
package struct HomePage: Sendable, Equatable {
    /// The member; nil if the visitor is not signed in.
    package var signedIn: SignedInMember?
    /// The profile link; nil until it is fetched. The page shows it only if it is a valid `ExternalLink`.
    package var profileURL: String?
    /// Whether the provider gives this site profile links, so that the page offers to fetch one.
    package var offersLink: Bool

    package init(signedIn: SignedInMember? = nil, profileURL: String? = nil, offersLink: Bool = true) {
        self.signedIn = signedIn
        self.profileURL = profileURL
        self.offersLink = offersLink
    }
}
