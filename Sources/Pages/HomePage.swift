/// The home page, where a visitor signs in and a member sees the account.
package struct HomePage: Sendable, Equatable {
    /// The member; nil if the visitor is not signed in.
    package var signedIn: SignedInMember?
    /// The profile link, shown only if it is a valid `ExternalLink`; nil until it is fetched.
    package var profileURL: String?
    /// Whether the provider gives this site profile links, so that the page offers to fetch one.
    package var offersLink: Bool

    package init(signedIn: SignedInMember? = nil, profileURL: String? = nil, offersLink: Bool = true) {
        self.signedIn = signedIn
        self.profileURL = profileURL
        self.offersLink = offersLink
    }
}
