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
    static let name = Self("name", "the member's name; absent if the provider sent no name")
    static let email = Self("email", "the member's e-mail address; absent if the provider sent no address")
    static let emailParts =
        Self("emailParts", "list of the parts of `email`; a line may break after each part; each has `part`")
    static let part = Self("part", "in `emailParts` and `contactParts`: a part of the address")
    static let picture =
        Self(
            "picture",
            "the URL of the member's picture; absent if there is no picture, or if its origin is not allowed"
        )
    static let initial = Self(
        "initial",
        "the first letter of the name or e-mail address, for a member without a picture"
    )
    static let memberID = Self(
        "memberID",
        "the value of the field `member` of a form, which says for which member the page was made; a form without this field "
            + "acts on the member who is signed in when the form arrives"
    )
    static let profileLink = Self(
        "profileLink",
        "the https URL of the member's profile; absent if the program does not know the URL"
    )
    static let profileLinkShown = Self("profileLinkShown", "`profileLink` without `https://`, to show as text")
    static let deletesTokens = Self(
        "deletesTokens",
        "on `forget`: whether the site has personal tokens; on `forgotten`: whether the deletion revoked personal tokens"
    )
    static let label = Self(
        "label",
        "in `actions`: the text of the link; in `providers`: the text for screen readers, which says what the link does; in "
            + "`tokens`: the name of the token"
    )
    static let target = Self(
        "target",
        "in `actions` and `providers`: the address of the link; on `signed-out` and `tokens`: the address at which the visitor "
            + "signs in again; on `resume`: the address that receives the form"
    )
    static let script =
        Self("script", "the script of the page, for a `script` element; the browser runs only these bytes")
}

extension TemplateField {
    /// The fields of every page, in addition to the fixed texts.
    static let common = fields([
        "site.name": "`SIGNIN_SITE_NAME`, or the host name",
        "site.logo": "`SIGNIN_LOGO` as a `data:` URL; absent if this setting has no value",
        "site.accent": "`SIGNIN_ACCENT_COLOR`, or the built-in blue, as six hexadecimal digits without `#`",
        "site.onAccent": "the color of text on `site.accent`: `000000` or `ffffff`",
        "provider.logo": "`SIGNIN_PROVIDER_LOGO` as a `data:` URL; absent if this setting has no value",
        "page.language": "the language of the page (BCP 47), such as `pt-BR`",
        "page.direction": "`ltr`, or `rtl` for a language that is written from right to left",
        "page.languages":
            "list of the languages of this page, in the same order on each page; each has `page.languageTag`, `page.languageName`, "
            + "`page.languageLink` and `page.isCurrentLanguage`",
        "page.hasLanguages":
            "whether `page.languages` has several elements; false if the browser cannot show the page again by a reload",
        "page.languageTag": "in `page.languages`: the language (BCP 47)",
        "page.languageName": "in `page.languages`: the language's own name, such as *Deutsch*",
        "page.languageLink": "in `page.languages`: the address that shows this page in that language",
        "page.isCurrentLanguage": "in `page.languages`: whether the page is in that language",
        "paths.home": "the home page: `SIGNIN_HOME`, or the program's own home page",
        "paths.site":
            "the home page of the site: `SIGNIN_HOME`, or `/` if `SIGNIN_BASE_URL` has a path; absent if the site has only the "
            + "program's own home page",
        "paths.login": "the address at which a visitor signs in, for a link",
        "paths.profile": "the page with the member's profile, for a link",
        "paths.logout":
            "the address that signs out: the target of an HTML form with the method `post`; the field `everywhere` with the value `yes` "
            + "signs out in all browsers",
        "paths.forget":
            "the address of the page that deletes the member's data: the target of links, and of the form with the method "
            + "`post` in `forget.mustache`",
        "paths.tokens":
            "the address of the page of the member's personal tokens: the target of links, and of the forms with the method "
            + "`post` in `tokens.mustache`",
        "paths.resume":
            "the address to which an HTML form with the method `post` is sent to discard the visitor's kept form",
    ])

    private static func fields(_ meanings: KeyValuePairs<String, String>) -> [TemplateField] {
        meanings.map { Self($0, $1) }
    }
}
