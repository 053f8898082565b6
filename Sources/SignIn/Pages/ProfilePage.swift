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
