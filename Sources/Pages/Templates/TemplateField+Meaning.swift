extension TemplateField {
    /// What the tag gives, for authors of templates.
    var meaning: String {
        switch self {
        case .name: "the member's name; absent if LinkedIn sent none"
        case .email: "the member's e-mail address; absent if LinkedIn sent none"
        case .picture: "the URL of the member's picture; absent if there is none from an allowed origin"
        case .initial: "the first letter of the name or e-mail address, to show without a picture"
        case .locale: "the language of the profile, such as `en_US`"
        case .profileLink: "the https URL of the member's profile; absent until it is known"
        case .profileLinkShown: "the same link without `https://`, to show as text"
        case .received: "a sentence that says how old the shown profile is"
        case .signedIn: "whether the visitor is signed in"
        case .offersLink: "whether LinkedIn gives profile links to this site"
        case .otherSessions: "a sentence with the number of browsers in which the member is signed in, if more than one"
        case .signsOutEverywhere: "whether to show a button that signs out in all browsers"
        case .linkMissing: "whether a profile link was expected and LinkedIn sent none"
        case .everywhere: "whether the member was signed out in all browsers"
        case .signOutPage: "the URL of LinkedIn's own sign-out page"
        case .deleted: "a sentence that says in how many browsers the deletion signed the member out"
        case .title: "the heading of the problem"
        case .happened: "what happened"
        case .next: "what to do next; absent if the actions are enough"
        case .wait: "a sentence that says how long to wait; absent if there is no time to wait for"
        case .account: "the account that was rejected; absent for other problems"
        case .contactAddress: "`SIGNIN_CONTACT`, if it is an e-mail address and the page names it"
        case .contact: "`SIGNIN_CONTACT`, if it is any other text and the page names it"
        case .requestID: "the ID of the request, which is also in the log"
        case .actions: "list of links, the most useful first; each has `label`, `target`, `isPrimary` and `isNewTab`"
        case .label: "in `actions`: the text of the link; in `tokens`: the name of the token"
        case .target:
            "in `actions`: the address of the link; `signed-out` and `tokens`: the address that signs in again; "
                + "`resume`: the address that receives the form"
        case .isPrimary: "in `actions`: whether the link is the one that most visitors need"
        case .isNewTab: "in `actions`: whether the link opens a new tab"
        case .switchesAccount: "whether to show a button that signs out and signs in with another account"
        case .returnPath: "for that button: the path to come back to, as the field `return_to`; may be absent"
        case .formToken: "the value of the field `linkedin-signin-form`"
        case .offersTokens: "whether the member can make personal tokens"
        case .newToken: "the personal token that was made just now; no other page shows it"
        case .tokens: "list of the member's tokens; each has `label`, `tokenID`, `locations`, `ends` and `used`"
        case .hasTokens: "whether that list has any element"
        case .tokenID: "in `tokens`: the value of the field `revoke`"
        case .locations: "in `tokens`: the locations where the token is accepted"
        case .ends: "in `tokens`: the last day of the token"
        case .used: "in `tokens`: the day of its last use; absent if it was never used"
        case .makesTokens: "whether the member signed in recently enough to make a token"
        case .wantedName: "the field `name` of the form, as the member sent it"
        case .wantedLocations: "the field `locations` of the form"
        case .wantedDays: "the field `days` of the form"
        case .maximumDays: "the most days that a token may live"
        case .fault: "a sentence that says which field of the form is wrong"
        case .script: "the script of the page, for a `script` element; the browser runs only these bytes"
        }
    }
}

/// A field that every page has, in addition to the fixed texts.
enum CommonField: String, CaseIterable {
    case siteName = "site.name"
    case logo = "site.logo"
    case accent = "site.accent"
    case onAccent = "site.onAccent"
    case language = "page.language"
    case direction = "page.direction"
    case home = "paths.home"
    case site = "paths.site"
    case login = "paths.login"
    case profile = "paths.profile"
    case logout = "paths.logout"
    case forget = "paths.forget"
    case tokens = "paths.tokens"

    /// What the tag gives, for authors of templates.
    var meaning: String {
        switch self {
        case .siteName: "`SIGNIN_SITE_NAME`, or the host name"
        case .logo: "the picture of `SIGNIN_LOGO` as a `data:` URL; absent without this setting"
        case .accent: "`SIGNIN_ACCENT_COLOR`, or the built-in blue, as six hexadecimal digits without `#`"
        case .onAccent: "the color of text on it: `000000` or `ffffff`"
        case .language: "the language of the page (BCP 47), such as `pt-BR`"
        case .direction: "`ltr`, or `rtl` for a language that is written from right to left"
        case .home: "the home page: `SIGNIN_HOME`, or the program's own"
        case .site: "`SIGNIN_HOME`; absent if it is the program's own home page"
        case .login: "signs in: a link"
        case .profile: "the page with the member's profile: a link"
        case .logout: "signs out: a form with the method `post`; `everywhere` with `yes` signs out in all browsers"
        case .forget: "asks before it deletes the member's data: a link; there, a form with the method `post`"
        case .tokens: "the member's personal tokens: a link; there, forms with the method `post`"
        }
    }
}
