import Pages

extension SignedInMember {
    static func sample(
        name: String? = "Ada Lovelace",
        email: String? = "ada@example.com",
        picture: String? = "https://media.licdn.com/dms/image/v2/ada?e=1&v=beta"
    ) -> SignedInMember {
        SignedInMember(name: name, email: email, pictureURL: picture)
    }
}

extension Page {
    static let profileURL = "https://www.linkedin.com/in/ada?a=1&b=2"

    /// Every page in each state with a different appearance.
    static let samples: [Page] =
        [
            .home(HomePage()),
            .home(HomePage(signedIn: .sample())),
            .home(HomePage(signedIn: .sample(), sessions: 3)),
            .home(HomePage(signedIn: .sample(picture: nil), profileURL: profileURL)),
            .home(HomePage(offersLink: false)),
            .home(HomePage(signedIn: .sample(), offersLink: false)),
            .home(HomePage(signedIn: SignedInMember(), profileURL: profileURL, offersLink: false)),
            .profile(ProfilePage(member: .sample(), locale: "en_US", profileURL: profileURL)),
            .profile(ProfilePage(member: .sample(name: nil), fetchedAgo: 86_400, offersLink: false)),
            .profile(ProfilePage(member: SignedInMember(), offersLink: true)),
            .signedOut(),
            .forget(.sample()),
            .forget(SignedInMember()),
            .forgotten(sessions: 1),
            .forgotten(sessions: 12),
            .resume(KeptFormPage(target: "/account/form?a=1&b=2", token: "label.token")),
        ]
        + Problem.Kind.allCases.map {
            .problem(Problem($0, requestID: "0123456789abcdef", retryAfter: 90, account: "ada@example.com"))
        }
}
