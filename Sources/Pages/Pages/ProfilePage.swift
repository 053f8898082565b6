/// The page with a member's profile.
package struct ProfilePage: Sendable, Equatable {
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
        (self.member, self.locale, self.profileURL) = (member, locale, profileURL)
        (self.fetchedAgo, self.offersLink) = (fetchedAgo, offersLink)
    }
}

extension Page {
    package static func profile(_ page: ProfilePage) -> Page { Page(content: page) }
}

extension TemplateField {
    static let locale = Self("locale", "the language of the profile, by its own name, such as `Deutsch`")
    static let received = Self("received", "a sentence that says how old the shown profile is")
    static let linkMissing = Self(
        "linkMissing",
        "whether this profile has no link, although the provider gives this site links to profiles"
    )
}

extension ProfilePage: PageContent {
    var holdsForm: Bool { false }
    var script: PageScript? { link == nil ? nil : .copy }
    private var link: ExternalLink? { profileURL.flatMap(ExternalLink.init) }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        let link = link
        context.add(member, to: &fields)
        fields.set(profileLink: link)
        fields.set(.locale, locale.map(LanguageName.of))
        fields.set(.received, context.wording.received(secondsAgo: fetchedAgo))
        fields.set(.linkMissing, offersLink && link == nil)
    }

    static func samples(contact: String) -> [PageSample] {
        [
            PageSample(
                "profile",
                ProfilePage(member: .ada, locale: "en_US", profileURL: PageSample.profileURL, fetchedAgo: 300)
            ),
            PageSample("profile-without-link", ProfilePage(member: .long, locale: "de_DE")),
        ]
    }

    /// The visitor can select the link, or copy it with a button if scripts are allowed.
    static let template = Template(
        name: "profile",
        purpose: "the member's profile",
        fields: TemplateField.member + [.locale, .profileLink, .profileLinkShown, .received, .linkMissing, .script],
        requiredTags: ["profileLink"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.profileTitle}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{text.profileTitle}}</h1>
            {{> member}}
            {{#profileLink}}
            <div class="copy">
            <p class="quiet" id="link-label">{{text.profileLink}}</p>
            <p class="own"><code id="link" dir="ltr" aria-labelledby="link-label">{{profileLink}}</code></p>
            <button id="copy" type="button" data-done="{{text.linkCopied}}" hidden="">{{text.copyLink}}</button>
            <span id="copied" class="quiet" role="status"></span>
            </div>
            {{/profileLink}}
            {{#linkMissing}}
            <section class="note" aria-labelledby="no-link">
            <h2 id="no-link">{{text.noLinkTitle}}</h2>
            <p>{{text.noLinkSent}}</p>
            </section>
            {{/linkMissing}}
            <p class="actions">
            {{#profileLink}}
            <a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a>
            {{/profileLink}}
            <a class="control" href="{{paths.home}}">{{text.home}}</a>
            </p>
            {{#locale}}
            <dl>
            <dt>{{text.profileLocale}}</dt>
            <dd>{{locale}}</dd>
            </dl>
            {{/locale}}
            <p class="quiet">{{received}}</p>
            {{#profileLink}}
            <script>{{script}}</script>
            {{/profileLink}}
            {{/main}}
            {{/layout}}

            """
    )
}
