/// A page with invented data.
struct SamplePage: Sendable {
    /// The name of its file, without suffix.
    let name: String
    let page: Page

    /// Every page in each state with a different appearance, and every error page.
    ///
    /// - Parameter contact: `SIGNIN_CONTACT`, or an invented address.
    /// - Returns: The pages; each has another name.
    static func all(contact: String) -> [SamplePage] {
        home + account + tokens + Problem.Kind.allCases.map { problem($0, contact) }
    }

    /// The address of the picture in the samples, which a preview replaces.
    static let pictureURL = "https://media.licdn.com/sample"
    /// A drawn portrait, which needs no network.
    static let portrait =
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 56 56%22%3E"
        + "%3Crect width=%2256%22 height=%2256%22 fill=%22%238aa4b8%22/%3E"
        + "%3Cpath fill=%22%23fff%22 d=%22M28 31a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM10 56a18 18 0 0 1 36 0z%22/%3E%3C/svg%3E"

    private static let ada = SignedInMember(name: "Ada Lovelace", email: "ada@example.com", pictureURL: pictureURL)
    /// Long texts, for which narrow screens have little room.
    private static let long = SignedInMember(
        name: "Maximiliane Freifrau von Hohenstein-Waldburg",
        email: "maximiliane.von.hohenstein-waldburg@department.example.com"
    )
    private static let link = "https://www.linkedin.com/in/ada-lovelace-1815"

    private static var home: [SamplePage] {
        let page = { (name: String, page: HomePage) in SamplePage(name: name, page: .home(page)) }
        return [
            page("home", HomePage()),
            page("home-without-links", HomePage(offersLink: false)),
            page("home-signed-in", HomePage(signedIn: ada, sessions: 1)),
            page("home-with-link", HomePage(signedIn: long, sessions: 3, profileURL: link, offersTokens: true)),
            page(
                "home-signed-in-without-links",
                HomePage(signedIn: ada, sessions: 2, offersLink: false, offersTokens: true)
            ),
        ]
    }

    private static var account: [SamplePage] {
        [
            SamplePage(
                name: "profile",
                page: .profile(ProfilePage(member: ada, locale: "en_US", profileURL: link, fetchedAgo: 300))
            ),
            SamplePage(name: "profile-without-link", page: .profile(ProfilePage(member: long, locale: "de_DE"))),
            SamplePage(name: "signed-out", page: .signedOut()),
            SamplePage(name: "signed-out-everywhere", page: .signedOut(everywhere: true)),
            SamplePage(name: "forget", page: .forget(ada, deletesTokens: true)),
            SamplePage(name: "forgotten", page: .forgotten(sessions: 3, tokens: 2)),
            SamplePage(
                name: "resume",
                page: .resume(
                    KeptFormPage(target: "/forum/topics/1815/answers?draft=yes", token: "sample", label: "sample00")
                )
            ),
        ]
    }

    private static var tokens: [SamplePage] {
        let token = TokensPage.Token(
            id: "0123456789abcdef0123456789abcdef",
            name: "Nightly backup",
            locations: "/reports/ /files/",
            ending: "x7Qk",
            created: Day(iso8601: "2026-11-01"),
            ends: Day(iso8601: "2027-01-31"),
            used: Day(iso8601: "2026-11-22")
        )
        let new = TokensPage.Token(
            id: "123456789abcdef0123456789abcdef0",
            name: "Statistics",
            locations: "/reports/",
            ending: "mple",
            created: Day(iso8601: "2026-11-30"),
            ends: Day(iso8601: "2027-02-28"),
            used: nil
        )
        let wish = TokensPage.Wish(days: "30", formID: "sample")
        let made = "lsi_" + String(repeating: "sample", count: 7)
        let page = { (name: String, page: TokensPage) in SamplePage(name: name, page: .tokens(page)) }
        return [
            page("tokens", TokensPage(tokens: [], wish: wish, maximumDays: 90)),
            page("tokens-made", TokensPage(tokens: [token, new], made: made, wish: wish, maximumDays: 90)),
            page("tokens-fault", TokensPage(tokens: [token], wish: wish, maximumDays: 90, fault: .locations)),
            page("tokens-sign-in", TokensPage(tokens: [token], wish: nil, maximumDays: 90)),
        ]
    }

    private static func problem(_ kind: Problem.Kind, _ contact: String) -> SamplePage {
        let waits: [Problem.Kind: Int] = [
            .providerBusy: 3, .providerThrottled: 3_600, .tooManyRequests: 60, .tooManyForms: 600,
            .storeUnavailable: 10,
        ]
        let problem = Problem(
            kind,
            requestID: "4f0c2a9be1d87365",
            retryAfter: waits[kind],
            account: kind == .accountNotAllowed ? ada : nil,
            contact: kind == .accountNotAllowed ? contact : nil,
            returnPath: "/forum/"
        )
        let name = String(kind.rawValue.map { $0 == "_" ? "-" : $0 })
        return SamplePage(name: "problem-\(name)", page: .problem(problem))
    }
}
