import Sessions

@testable import Pages

extension SignedInMember {
    static func sample(
        name: String? = "Ada Lovelace",
        email: String? = "ada@example.com",
        picture: String? = "https://media.licdn.com/dms/image/v2/ada?e=1&v=beta"
    ) -> SignedInMember {
        SignedInMember(name: name, email: email, pictureURL: picture, id: "ada")
    }
}

extension TokensPage.Token {
    static func sample(used: Day? = nil) -> TokensPage.Token {
        TokensPage.Token(
            id: "0123456789abcdef0123456789abcdef",
            name: "Backup",
            locations: "/reports/ /files/",
            ending: "GxHh",
            created: Day(iso8601: "2026-11-01"),
            ends: Day(iso8601: "2027-01-31"),
            used: used
        )
    }
}

extension Page {
    static let profileURL = "https://www.linkedin.com/in/ada?a=1&b=2"

    /// Every page in each state with a different appearance.
    ///
    /// A page that is not in `states` is here with its samples for `preview`.
    static let samples =
        states
        + types.filter { type in !states.contains { type.template.name == Swift.type(of: $0.content).template.name } }
        .flatMap { $0.samples(contact: "help@example.com").map(\.page) }

    private static let states: [Page] =
        [
            .home(HomePage()),
            .home(HomePage(signedIn: .sample())),
            .home(HomePage(signedIn: .sample(), sessions: 3)),
            .home(HomePage(signedIn: .sample(), offersTokens: true)),
            .home(HomePage(signedIn: .sample(picture: nil), profileURL: profileURL)),
            .home(HomePage(offersLink: false)),
            .home(HomePage(signedIn: .sample(), offersLink: false)),
            .home(HomePage(signedIn: SignedInMember(), profileURL: profileURL, offersLink: false)),
            .profile(ProfilePage(member: .sample(), locale: "en_US", profileURL: profileURL)),
            .profile(ProfilePage(member: .sample(name: nil), fetchedAgo: 86_400, offersLink: false)),
            .profile(ProfilePage(member: SignedInMember(), offersLink: true)),
            .home(HomePage(choice: ProviderChoice(last: ProviderID("google")))),
            .choice(ProviderChoice()),
            .choice(ProviderChoice(returnPath: "/a?b=c&d", last: .linkedIn, keepsForm: true)),
            .signedOut(returnPath: "/a?b=c&d"),
            .signedOut(everywhere: true, signOutPage: ExternalLink("https://www.linkedin.com/m/logout/")),
            .forget(.sample(), deletesTokens: true),
            .forget(SignedInMember()),
            .forgotten(sessions: 1),
            .forgotten(sessions: 12, tokens: 2),
            .tokens(TokensPage(member: .sample(), tokens: [], wish: .init(days: "30", formID: "id"), maximumDays: 90)),
            .tokens(TokensPage(member: .sample(), tokens: [.sample()], wish: nil, maximumDays: 90)),
            .tokens(
                TokensPage(
                    member: .sample(),
                    tokens: [.sample(used: Day(iso8601: "2026-11-22"))],
                    made: "lsi_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
                    wish: .init(name: "n", locations: "/a/ /b", days: "1", formID: "id"),
                    maximumDays: 90,
                    fault: .path("a/&<b>")
                )
            ),
            .resume(target: "/account/form?a=1&b=2", token: "label.token", label: "label"),
        ]
        + [TokensPage.Fault.name, .locations, .days, .full].map {
            let wish = TokensPage.Wish(days: "0", formID: "id")
            return .tokens(TokensPage(member: .sample(), tokens: [], wish: wish, maximumDays: 90, fault: $0))
        }
        + Problem.Kind.allCases.map {
            .problem(Problem($0, requestID: "0123456789abcdef", retryAfter: 90, account: .sample()))
        }
}
