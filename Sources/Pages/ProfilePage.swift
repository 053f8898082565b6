/// The page with a member's profile.
package struct ProfilePage: Sendable, Equatable {
    /// The script of the button that copies the link.
    ///
    /// It contains no character that HTML escapes, because the policy allows exactly these bytes. Without scripts or
    /// `navigator.clipboard`, the button stays hidden and the visitor can select the link.
    static let script = """
        const link = document.getElementById(`link`), copy = document.getElementById(`copy`);
        link.onfocus = function () { link.select() };
        copy.hidden = !navigator.clipboard;
        copy.onclick = function () {
          navigator.clipboard.writeText(link.value).then(
            function () { document.getElementById(`copied`).textContent = copy.dataset.done },
            function () { link.focus() })
        };
        """

    package var member: SignedInMember
    package var locale: String?
    /// The profile link; the page shows it only if it is a valid `ExternalLink`.
    package var profileURL: String?
    /// Seconds since the provider sent the profile.
    package var fetchedAgo: Int
    /// Whether the provider gives this site profile links, so that the page explains a missing one.
    package var offersLink: Bool

    package init(
        member: SignedInMember,
        locale: String? = nil,
        profileURL: String? = nil,
        fetchedAgo: Int = 0,
        offersLink: Bool = true
    ) {
        self.member = member
        self.locale = locale
        self.profileURL = profileURL
        self.fetchedAgo = fetchedAgo
        self.offersLink = offersLink
    }

    /// Whether the page has a link and therefore the script.
    var hasLink: Bool { profileURL.flatMap(ExternalLink.init) != nil }
}
