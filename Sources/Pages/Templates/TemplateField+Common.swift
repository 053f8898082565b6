extension TemplateField {
    /// The fields of every page, in addition to the fixed texts.
    static let common = fields([
        "site.name": "`SIGNIN_SITE_NAME`, or the host name",
        "site.logo": "the picture of `SIGNIN_LOGO` as a `data:` URL; absent without this setting",
        "site.accent": "`SIGNIN_ACCENT_COLOR`, or the built-in blue, as six hexadecimal digits without `#`",
        "site.onAccent": "the color of text on `site.accent`: `000000` or `ffffff`",
        "provider.logo": "the picture of `SIGNIN_PROVIDER_LOGO` as a `data:` URL; absent without this setting",
        "page.language": "the language of the page (BCP 47), such as `pt-BR`",
        "page.direction": "`ltr`, or `rtl` for a language that is written from right to left",
        "page.languages":
            "list of the other languages of this page; each has `page.languageTag`, `page.languageName` and `page.languageLink`",
        "page.hasLanguages":
            "whether `page.languages` has any element; false on a page that a reload would not show again",
        "page.languageTag": "in `page.languages`: the language (BCP 47)",
        "page.languageName": "in `page.languages`: the language's own name, such as *Deutsch*",
        "page.languageLink": "in `page.languages`: the address that shows this page in that language",
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
            "the address of the page that deletes the member's data, for a link, and for the form on this page with the method `post`",
        "paths.tokens":
            "the address of the page of the member's personal tokens, for a link, and for the forms on this page with the method `post`",
        "paths.resume":
            "the address that discards the visitor's kept form: the target of an HTML form with the method `post`",
    ])

    private static func fields(_ meanings: KeyValuePairs<String, String>) -> [TemplateField] {
        meanings.map { Self($0, $1) }
    }
}
