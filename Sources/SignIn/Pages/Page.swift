/// A page of the product, with everything it shows.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// After sign-out: the session here has ended, the one at the provider has not.
    case signedOut
    case problem(Problem)
}

/// A signed-in member, in the provider's words.
package struct SignedInMember: Sendable, Equatable {
    package var name: String?
    package var email: String?
    /// Shown only if it is on an allowed host (`PictureURL`).
    package var pictureURL: String?

    package init(name: String? = nil, email: String? = nil, pictureURL: String? = nil) {
        self.name = name
        self.email = email
        self.pictureURL = pictureURL
    }
}

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

/// The page about a member's profile.
package struct ProfilePage: Sendable, Equatable {
    /// Why there may be no link.
    package enum MissingLink: Sendable, CaseIterable {
        /// The provider gives none to an application with these products.
        case notOffered
        /// The provider gives links, but sent none for this member.
        case notSent
    }

    package var member: SignedInMember
    package var locale: String?
    /// Linked to only if it is an `ExternalLink`; otherwise the page tells the reason below.
    package var profileURL: String?
    /// Seconds since the provider said so.
    package var fetchedAgo: Int
    package var missingLink: MissingLink

    package init(
        member: SignedInMember,
        locale: String? = nil,
        profileURL: String? = nil,
        fetchedAgo: Int = 0,
        missingLink: MissingLink = .notOffered
    ) {
        self.member = member
        self.locale = locale
        self.profileURL = profileURL
        self.fetchedAgo = fetchedAgo
        self.missingLink = missingLink
    }
}
