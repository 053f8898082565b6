/// The page about a member's profile.
package struct ProfilePage: Sendable, Equatable {
    /// All of the script: a button that copies the link.
    ///
    /// It holds nothing that HTML would escape, for the policy allows exactly these bytes. Without `navigator.clipboard`,
    /// and without scripts, the button stays hidden and the link can be selected.
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
    /// Linked to only if it is an `ExternalLink`.
    package var profileURL: String?
    /// Seconds since the provider said so.
    package var fetchedAgo: Int
    /// Whether the provider gives this site profile links, so that a missing one is worth a word.
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

    /// Whether the page has a link, and with it the script.
    var hasLink: Bool { profileURL.flatMap(ExternalLink.init) != nil }
}
