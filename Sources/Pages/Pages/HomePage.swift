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

    /// A visitor can only sign in, and a member sees the steps to the profile link if the provider gives profile links.
    ///
    /// A step that is done or that cannot be used yet is a text. One control is the primary one.
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
            <p class="actions"><a class="control primary" href="{{paths.site}}">{{text.continueToSite}}</a></p>
            {{/paths.site}}
            {{#offersLink}}
            <ol class="steps" role="list" aria-label="{{text.steps}}">
            {{#profileLink}}
            <li class="done"><p class="step">{{text.getProfileURL}}</p></li>
            {{/profileLink}}
            {{^profileLink}}
            <li>
            <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{paths.profile}}">{{text.getProfileURL}}</a>
            <p class="quiet">{{text.getProfileURLHint}}</p>
            </li>
            {{/profileLink}}
            <li>
            {{#profileLink}}
            <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{profileLink}}">{{text.openProfile}}</a>
            <p class="quiet address">{{profileLinkShown}}</p>
            {{/profileLink}}
            {{^profileLink}}
            <p class="step">{{text.openProfile}}</p>
            {{/profileLink}}
            </li>
            </ol>
            {{/offersLink}}
            {{^offersLink}}
            <p class="actions">
            <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{paths.profile}}">{{text.showDetails}}</a>
            </p>
            {{/offersLink}}
            {{#otherSessions}}
            <p class="sessions">{{otherSessions}}</p>
            {{/otherSessions}}
            <div class="account">
            {{#offersLink}}
            {{#profileLink}}
            <a href="{{paths.profile}}">{{text.showDetails}}</a>
            {{/profileLink}}
            {{/offersLink}}
            <form method="post" action="{{paths.logout}}"><button>{{text.signOut}}</button></form>
            {{#signsOutEverywhere}}
            <form method="post" action="{{paths.logout}}">
            <input type="hidden" name="member" value="{{memberID}}">
            <button name="everywhere" value="yes">{{text.signOutEverywhere}}</button>
            </form>
            {{/signsOutEverywhere}}
            {{#offersTokens}}
            <a href="{{paths.tokens}}">{{text.tokens}}</a>
            {{/offersTokens}}
            <a href="{{paths.forget}}">{{text.forget}}</a>
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
