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
