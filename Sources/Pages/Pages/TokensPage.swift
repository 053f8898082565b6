/// The page where a member makes and revokes personal tokens.
package struct TokensPage: Sendable, Equatable {
    /// A token of the member.
    package struct Token: Sendable, Equatable {
        package let id: String
        let name: String
        /// Paths with spaces between them.
        let locations: String
        /// The last characters of the token; nil if they are not known.
        let ending: String?
        let created: Day
        let ends: Day
        /// Nil if the token was not used yet.
        let used: Day?

        package init(
            id: String,
            name: String,
            locations: String,
            ending: String?,
            created: Day,
            ends: Day,
            used: Day?
        ) {
            (self.id, self.name, self.locations, self.ending) = (id, name, locations, ending)
            (self.created, self.ends, self.used) = (created, ends, used)
        }
    }

    /// What is in the form that makes a token, as the member wrote it.
    package struct Wish: Sendable, Equatable {
        let name: String
        let locations: String
        let days: String
        /// A value that makes the form work once.
        let formID: String

        package init(name: String = "", locations: String = "", days: String, formID: String) {
            (self.name, self.locations, self.days, self.formID) = (name, locations, days, formID)
        }
    }

    /// Why no token was made.
    package enum Fault: Sendable, Equatable {
        case name
        /// The number of paths is wrong.
        case locations
        /// This path is wrong.
        case path(String)
        case days
        /// The form is too old.
        case form
        /// The member has as many tokens as there may be.
        case full
        /// All members together have as many tokens as there may be.
        case storeFull
    }

    package var member: SignedInMember
    package var tokens: [Token]
    /// A token that was made just now; the page shows it this once.
    package var made: String?
    /// The form, if the member signed in recently enough to make a token; nil if not.
    package var wish: Wish?
    package var maximumDays: Int
    package var fault: Fault?

    package init(
        member: SignedInMember,
        tokens: [Token],
        made: String? = nil,
        wish: Wish?,
        maximumDays: Int,
        fault: Fault? = nil
    ) {
        (self.member, self.tokens, self.made, self.wish) = (member, tokens, made, wish)
        (self.maximumDays, self.fault) = (maximumDays, fault)
    }
}

extension Page {
    package static func tokens(_ page: TokensPage) -> Page { Page(content: page) }
}

extension TemplateField {
    static let newToken = Self("newToken", "the personal token that was made just now; no other page shows this token")
    static let tokens = Self(
        "tokens",
        "list of the member's tokens; each has `label`, `ending`, `tokenID`, `locations`, `created`, `ends` and `used`"
    )
    static let hasTokens = Self("hasTokens", "whether the list `tokens` has any element")
    static let tokenID = Self("tokenID", "in `tokens`: the value of the field `revoke`")
    static let locations = Self("locations", "in `tokens`: the locations where the token is accepted")
    static let ending =
        Self("ending", "in `tokens`: the last four characters of the token; absent if the store does not have them")
    static let created = Self("created", "in `tokens`: the day on which the token was made")
    static let ends = Self("ends", "in `tokens`: the last day of the token")
    static let used = Self("used", "in `tokens`: the day of the token's last use; absent if the token was never used")
    static let makesTokens = Self("makesTokens", "whether the member signed in recently enough to make a token")
    static let wantedName = Self("wantedName", "the field `name` of the form, as the member sent it")
    static let wantedLocations = Self("wantedLocations", "the field `locations` of the form")
    static let wantedDays = Self("wantedDays", "the field `days` of the form")
    static let maximumDays = Self("maximumDays", "the maximum lifetime of a token in days")
    static let formID = Self("formID", "the value of the field `form`, which makes the form work only once")
    static let formWrong = Self("formWrong", "whether no token was made although every field of the form is correct")
    static let nameWrong = Self("nameWrong", "whether the field `name` is wrong")
    static let locationsWrong = Self("locationsWrong", "whether the field `locations` is wrong")
    static let daysWrong = Self("daysWrong", "whether the field `days` is wrong")
    static let fault = Self("fault", "a sentence that says why no token was made")
}

extension TokensPage: PageContent {
    var holdsForm: Bool { true }
    var script: PageScript? { made == nil ? nil : .copy }
    var isShownOnce: Bool { made != nil }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        let wording = context.wording
        context.addName(of: member, to: &fields)
        fields.set(.memberID, member.id)
        fields.set(.newToken, made)
        if let fault {
            fields.set(.fault, fault.sentence(wording, maximumDays: maximumDays))
            fields.set(fault.field, true)
        }
        fields.set(.hasTokens, !tokens.isEmpty)
        fields.set(
            .tokens,
            tokens.map { token in
                var fields = TemplateFields()
                fields.set(.label, token.name)
                fields.set(.tokenID, token.id)
                fields.set(.locations, token.locations)
                fields.set(.ending, token.ending)
                fields.set(.created, wording.text(token.created))
                fields.set(.ends, wording.text(token.ends))
                fields.set(.used, token.used.map(wording.text))
                return fields
            }
        )
        fields.set(.makesTokens, wish != nil)
        fields.set(.formID, wish?.formID)
        fields.set(.wantedName, wish?.name)
        fields.set(.wantedLocations, wish?.locations)
        fields.set(.wantedDays, wish?.days)
        fields.set(.maximumDays, String(maximumDays))
        fields.set(.target, context.paths.login(returningTo: context.paths.tokens))
    }

    static func samples(contact: String) -> [PageSample] {
        let token = Token(
            id: "0123456789abcdef0123456789abcdef",
            name: "Nightly backup",
            locations: "/reports/ /files/",
            ending: "x7Qk",
            created: Day(iso8601: "2026-11-01"),
            ends: Day(iso8601: "2027-01-31"),
            used: Day(iso8601: "2026-11-22")
        )
        let new = Token(
            id: "123456789abcdef0123456789abcdef0",
            name: "Statistics",
            locations: "/reports/",
            ending: "mple",
            created: Day(iso8601: "2026-11-30"),
            ends: Day(iso8601: "2027-02-28"),
            used: nil
        )
        let wish = Wish(days: "30", formID: "sample")
        let wrong = Wish(name: "Statistics", locations: "reports/", days: "30", formID: "sample")
        let made = "lsi_" + String(repeating: "sample", count: 7)
        return [
            PageSample("tokens", TokensPage(member: .ada, tokens: [], wish: wish, maximumDays: 90)),
            PageSample(
                "tokens-made",
                TokensPage(member: .ada, tokens: [token, new], made: made, wish: wish, maximumDays: 90)
            ),
            PageSample(
                "tokens-fault",
                TokensPage(member: .ada, tokens: [token], wish: wrong, maximumDays: 90, fault: .path("reports/"))
            ),
            PageSample("tokens-sign-in", TokensPage(member: .ada, tokens: [token], wish: nil, maximumDays: 90)),
        ]
    }

    private static let faultText = #"<p class="note fault" id="fault" role="alert">{{fault}}</p>"#

    static let template = Template(
        name: "tokens",
        purpose: "the page where a member makes and revokes personal tokens",
        fields: [
            .name, .email, .emailParts, .part, .memberID, .newToken, .fault, .formWrong, .nameWrong, .locationsWrong,
            .daysWrong, .hasTokens, .tokens, .label, .ending, .tokenID, .locations, .created, .ends, .used,
            .makesTokens, .formID, .wantedName, .wantedLocations, .wantedDays, .maximumDays, .target, .script,
        ],
        requiredTags: ["paths.tokens", "newToken", "tokens", "tokenID", "fault", "formID", "memberID"],
        embedded: """
            {{<layout}}
            {{$title}}{{text.tokens}} · {{site.name}}{{/title}}
            {{$main}}
            <h1>{{text.tokens}}</h1>
            \(Template.account)
            {{#newToken}}
            <div class="note made" role="status">
            <h2 id="link-label">{{text.tokenMade}}</h2>
            <p>{{text.tokenMadeLead}}</p>
            <div class="copy">
            <p class="own"><code id="link" dir="ltr" aria-labelledby="link-label">{{newToken}}</code></p>
            <button id="copy" type="button" data-done="{{text.linkCopied}}" hidden="">{{text.copyToken}}</button>
            <span id="copied" class="quiet" role="status"></span>
            </div>
            </div>
            {{/newToken}}
            {{^newToken}}
            <p class="lead">{{text.tokensLead}}</p>
            {{/newToken}}
            {{#formWrong}}
            \(faultText)
            {{/formWrong}}
            {{^hasTokens}}
            <p>{{text.tokensNone}}</p>
            {{/hasTokens}}
            {{#hasTokens}}
            <form method="post" action="{{paths.tokens}}">
            {{#tokens}}
            <section class="token">
            <h2 class="named"><bdi>{{label}}</bdi>{{#ending}} <code class="quiet" dir="ltr">…{{ending}}</code>{{/ending}}</h2>
            <dl>
            <dt>{{text.tokenLocations}}</dt><dd>{{locations}}</dd>
            <dt>{{text.tokenCreated}}</dt><dd>{{created}}</dd>
            <dt>{{text.tokenEnds}}</dt><dd>{{ends}}</dd>
            <dt>{{text.tokenUsed}}</dt><dd>{{used}}{{^used}}{{text.tokenUnused}}{{/used}}</dd>
            </dl>
            <details>
            <summary aria-label="{{text.tokenRevoke}}: {{label}}">{{text.tokenRevoke}}</summary>
            <p>{{text.tokenRevokeSure}}</p>
            <button class="danger" name="revoke" value="{{tokenID}}">{{text.tokenRevoke}}</button>
            </details>
            </section>
            {{/tokens}}
            </form>
            {{/hasTokens}}
            {{^newToken}}
            {{#makesTokens}}
            <form class="fields" method="post" action="{{paths.tokens}}">
            <h2>{{text.tokenNew}}</h2>
            <input type="hidden" name="member" value="{{memberID}}">
            <input type="hidden" name="form" value="{{formID}}">
            <label for="name">{{text.tokenName}}</label>
            <input id="name" name="name" value="{{wantedName}}" maxlength="100" required="" autocomplete="off"\
            {{#nameWrong}} aria-invalid="true" aria-describedby="fault" autofocus=""{{/nameWrong}}>
            {{#nameWrong}}
            \(faultText)
            {{/nameWrong}}
            <label for="locations">{{text.tokenLocations}}</label>
            <input id="locations" name="locations" value="{{wantedLocations}}" required="" autocomplete="off"\
             aria-describedby="hint{{#locationsWrong}} fault{{/locationsWrong}}"\
            {{#locationsWrong}} aria-invalid="true" autofocus=""{{/locationsWrong}}>
            {{#locationsWrong}}
            \(faultText)
            {{/locationsWrong}}
            <p class="quiet" id="hint">{{text.tokenLocationsHint}}</p>
            <label for="days">{{text.tokenDays}}</label>
            <input id="days" name="days" value="{{wantedDays}}" type="number" min="1" max="{{maximumDays}}" required=""\
            {{#daysWrong}} aria-invalid="true" aria-describedby="fault" autofocus=""{{/daysWrong}}>
            {{#daysWrong}}
            \(faultText)
            {{/daysWrong}}
            <p class="actions"><button class="control primary">{{text.tokenMake}}</button></p>
            </form>
            {{/makesTokens}}
            {{^makesTokens}}
            <p>{{text.tokenRecent}}</p>
            <p class="actions"><a class="control primary" href="{{target}}">{{text.signInAgain}}</a></p>
            {{/makesTokens}}
            {{/newToken}}
            <p class="account">
            {{#newToken}}
            <a href="{{paths.tokens}}">{{text.tokenNew}}</a>
            {{/newToken}}
            <a href="{{paths.home}}">{{text.home}}</a>
            </p>
            {{#newToken}}
            <script>{{script}}</script>
            {{/newToken}}
            {{/main}}
            {{/layout}}

            """
    )
}

extension TokensPage.Fault {
    func sentence(_ wording: Wording, maximumDays: Int) -> String? {
        switch self {
        case .name: wording[.tokenNameWrong]
        case .locations: wording[.tokenLocationsWrong]
        case .path(let path): Placeholder.fill(wording[.tokenPathWrong], [.path: path])
        case .days: wording.text(.tokenDaysWrong, count: maximumDays)
        case .form: wording[.tokenFormOld]
        case .full: wording[.tokensFull]
        case .storeFull: wording[.tokenStoreFull]
        }
    }

    /// The field that is true: which field of the form is wrong, or that none is.
    var field: TemplateField {
        switch self {
        case .name: .nameWrong
        case .locations, .path: .locationsWrong
        case .days: .daysWrong
        case .form, .full, .storeFull: .formWrong
        }
    }
}
