/// A signed-in member, as the provider describes them.
package struct SignedInMember: Sendable, Equatable {
    package var name: String?
    package var email: String?
    /// The picture; shown only if it is on an allowed host (`PictureURL`).
    package var pictureURL: String?
    /// What a form of the page sends to name the member; nil for a page without such a form.
    package var id: String?

    package init(name: String? = nil, email: String? = nil, pictureURL: String? = nil, id: String? = nil) {
        (self.name, self.email, self.pictureURL, self.id) = (name, email, pictureURL, id)
    }

    /// The name with the address, or the one that is known.
    var label: String? {
        guard let name, let email else { return name ?? email }
        return "\(name) (\(email))"
    }
}
