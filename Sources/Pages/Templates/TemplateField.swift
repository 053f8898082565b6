/// A field of a page that template tags can use, in addition to those of every page.
struct TemplateField: Sendable, Equatable {
    let name: String
    /// What the tag gives, for authors of templates.
    let meaning: String

    init(_ name: String, _ meaning: String) {
        (self.name, self.meaning) = (name, meaning)
    }
}

/// The fields of several pages; the others are declared with their page.
extension TemplateField {
    /// The fields of the template `member`.
    static let member: [TemplateField] = [.name, .email, .emailParts, .part, .picture, .initial]
    static let name = Self("name", "the member's name; absent if LinkedIn sent none")
    static let email = Self("email", "the member's e-mail address; absent if LinkedIn sent none")
    static let emailParts =
        Self("emailParts", "the parts of `email` between which a line may break; each has `part`")
    static let part = Self("part", "in `emailParts`: a part of the address")
    static let picture =
        Self("picture", "the URL of the member's picture; absent if there is none from an allowed origin")
    static let initial = Self("initial", "the first letter of the name or e-mail address, to show without a picture")
    static let profileLink = Self("profileLink", "the https URL of the member's profile; absent until it is known")
    static let profileLinkShown = Self("profileLinkShown", "`profileLink` without `https://`, to show as text")
    static let deletesTokens = Self(
        "deletesTokens",
        "`forget`: whether the site has personal tokens; `forgotten`: whether the deletion revoked personal tokens"
    )
    static let label = Self(
        "label",
        "in `actions` and `providers`: the text of the link; in `tokens`: the name of the token"
    )
    static let target = Self(
        "target",
        "in `actions` and `providers`: the address of the link; `signed-out` and `tokens`: the address at which the visitor "
            + "signs in again; `resume`: the address that receives the form"
    )
    static let script =
        Self("script", "the script of the page, for a `script` element; the browser runs only these bytes")
}
