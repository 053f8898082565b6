import Sessions

/// The home page, where a visitor signs in and a member sees the account.
package struct HomePage: Sendable, Equatable {
    /// The member; nil if the visitor is not signed in.
    package var signedIn: SignedInMember?
    /// The profile link, shown only if it is a valid `ExternalLink`; nil until it is fetched.
    package var profileURL: String?
    /// Whether the provider gives this site profile links, so that the page offers to fetch one.
    package var offersLink: Bool
    /// The number of the member's sessions; nil if it is not known.
    package var sessions: Int?
    /// Whether the member can make personal tokens.
    package var offersTokens: Bool
    /// The providers for a visitor; nil if there is only one.
    package var choice: ProviderChoice?

    package init(
        signedIn: SignedInMember? = nil,
        sessions: Int? = nil,
        profileURL: String? = nil,
        offersLink: Bool = true,
        offersTokens: Bool = false,
        choice: ProviderChoice? = nil
    ) {
        (self.signedIn, self.sessions, self.profileURL) = (signedIn, sessions, profileURL)
        (self.offersLink, self.offersTokens, self.choice) = (offersLink, offersTokens, choice)
    }
}

extension Page {
    package static func home(_ page: HomePage) -> Page { Page(content: page) }
}

extension TemplateField {
    static let signedIn = Self("signedIn", "whether the visitor is signed in")
    static let offersLink = Self(
        "offersLink",
        "whether the provider gives this site links to profiles"
    )
    static let otherSessions = Self(
        "otherSessions",
        "a sentence that says in how many browsers the member is signed in; absent if there is only one, or if the number is "
            + "unknown"
    )
    static let signsOutEverywhere =
        Self("signsOutEverywhere", "whether to show a button that signs out in all browsers")
    static let offersTokens = Self("offersTokens", "whether the member can make personal tokens")
}

extension HomePage: PageContent {
    var holdsForm: Bool { signedIn != nil }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        fields.set(.signedIn, signedIn != nil)
        fields.set(.offersLink, offersLink)
        choice?.add(to: &fields, in: context)
        fields.set(.offersTokens, offersTokens)
        guard let signedIn else { return }
        context.add(signedIn, to: &fields)
        fields.set(.memberID, signedIn.id)
        fields.set(profileLink: profileURL.flatMap(ExternalLink.init))
        // There may be other sessions if their number is not known.
        fields.set(.signsOutEverywhere, sessions != 1)
        fields.set(
            .otherSessions,
            sessions.flatMap { $0 > 1 ? context.wording.text(.signedInSessions, count: $0) : nil }
        )
    }

    static func samples(contact: String) -> [PageSample] {
        [
            PageSample("home", HomePage()),
            PageSample("home-without-links", HomePage(offersLink: false)),
            PageSample("home-choice", HomePage(choice: ProviderChoice(last: .linkedIn))),
            PageSample("home-signed-in", HomePage(signedIn: .ada, sessions: 1)),
            PageSample(
                "home-with-link",
                HomePage(signedIn: .long, sessions: 3, profileURL: PageSample.profileURL, offersTokens: true)
            ),
            PageSample(
                "home-signed-in-without-links",
                HomePage(signedIn: .ada, sessions: 2, offersLink: false, offersTokens: true)
            ),
        ]
    }

    /// The text of a link to the profile page, which shows the profile link if the provider gives one.
    private static let toProfile =
        "{{#offersLink}}{{text.showProfileLink}}{{/offersLink}}{{^offersLink}}{{text.showDetails}}{{/offersLink}}"

    /// A visitor can only sign in, and a member sees the account and the profile link.
    ///
    /// The primary control leads to the site, or to the profile if the site has no other home page.
    static let template = Template(
        name: "home",
        purpose: "the home page: sign in, get the profile link, sign out",
        fields: [.signedIn] + TemplateField.member + [
            .memberID, .profileLink, .profileLinkShown, .offersLink, .otherSessions, .signsOutEverywhere, .offersTokens,
        ] + TemplateField.choice,
        requiredTags: ["paths.login", "paths.profile", "paths.logout", "profileLink"],
        embedded: """
            {{<layout}}
            {{$title}}{{#signedIn}}{{text.signedInTitle}} · {{site.name}}{{/signedIn}}{{^signedIn}}{{text.welcomeTitle}}{{/signedIn}}{{/title}}
            {{$main}}
            {{#signedIn}}
            <h1>{{text.signedInTitle}}</h1>
            {{> member}}
            {{#paths.site}}
            {{#profileLink}}
            <dl>
            <dt>{{text.profileLink}}</dt>
            <dd><a class="own" href="{{profileLink}}">{{profileLinkShown}}</a></dd>
            </dl>
            {{/profileLink}}
            {{/paths.site}}
            <p class="actions">
            {{#paths.site}}
            <a class="control primary" href="{{paths.site}}">{{text.continueToSite}}</a>
            {{/paths.site}}
            {{^paths.site}}
            {{#profileLink}}
            <a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a>
            {{/profileLink}}
            {{^profileLink}}
            <a class="control primary" href="{{paths.profile}}">\(toProfile)</a>
            {{/profileLink}}
            {{/paths.site}}
            </p>
            {{#otherSessions}}
            <p class="sessions">{{otherSessions}}</p>
            {{/otherSessions}}
            <div class="account">
            {{#profileLink}}
            <a href="{{paths.profile}}">{{text.showDetails}}</a>
            {{/profileLink}}
            {{^profileLink}}
            {{#paths.site}}
            <a href="{{paths.profile}}">\(toProfile)</a>
            {{/paths.site}}
            {{/profileLink}}
            {{#offersTokens}}
            <a href="{{paths.tokens}}">{{text.tokens}}</a>
            {{/offersTokens}}
            <form method="post" action="{{paths.logout}}"><button>{{text.signOut}}</button></form>
            {{#signsOutEverywhere}}
            <form method="post" action="{{paths.logout}}">
            <input type="hidden" name="member" value="{{memberID}}">
            <button name="everywhere" value="yes">{{text.signOutEverywhere}}</button>
            </form>
            {{/signsOutEverywhere}}
            <a class="delete" href="{{paths.forget}}">{{text.forget}}</a>
            </div>
            {{/signedIn}}
            {{^signedIn}}
            <h1>{{text.welcomeTitle}}</h1>
            <p class="lead">{{#hasProviders}}{{text.choiceLead}}{{/hasProviders}}{{^hasProviders}}{{text.welcomeLead}}{{/hasProviders}}</p>
            <p class="actions">{{> sign-in}}</p>
            {{/signedIn}}
            {{/main}}
            {{/layout}}

            """
    )
}
