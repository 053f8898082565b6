/// A page of the program with its content.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// The page after sign-out: the session of this site has ended, but the session at the provider has not.
    ///
    /// Signing in again leads to `returnPath`, a local path. `everywhere` says whether all sessions of the member ended.
    case signedOut(returnPath: String? = nil, everywhere: Bool = false)
    /// Asks a member whether to delete everything that the site's sign-in stores about them.
    ///
    /// `deletesTokens` says whether the site has personal tokens.
    case forget(SignedInMember, deletesTokens: Bool = false)
    /// The page after the deletion, with the numbers of sessions and personal tokens that ended.
    case forgotten(sessions: Int, tokens: Int = 0)
    /// The member's personal tokens.
    case tokens(TokensPage)
    /// A form that was kept, to be sent now.
    case resume(KeptFormPage)
    case problem(Problem)

    /// Whether the page contains a form, so that the browser must send `Origin` with it.
    package var holdsForm: Bool {
        switch self {
        case .home(let home): home.signedIn != nil
        case .resume, .forget, .tokens: true
        case .problem(let problem): problem.switchesAccount
        case .profile, .signedOut, .forgotten: false
        }
    }
}

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

    package init(
        signedIn: SignedInMember? = nil,
        sessions: Int? = nil,
        profileURL: String? = nil,
        offersLink: Bool = true,
        offersTokens: Bool = false
    ) {
        self.offersTokens = offersTokens
        self.signedIn = signedIn
        self.sessions = sessions
        self.profileURL = profileURL
        self.offersLink = offersLink
    }
}

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
        self.member = member
        self.locale = locale
        self.profileURL = profileURL
        self.fetchedAgo = fetchedAgo
        self.offersLink = offersLink
    }

    /// Whether the page has a link and therefore the script.
    var hasLink: Bool { profileURL.flatMap(ExternalLink.init) != nil }
}

/// The page that sends a form kept during sign-in: with a button, or automatically if scripts are allowed.
package struct KeptFormPage: Sendable, Equatable {
    /// The script that sends the form.
    ///
    /// It contains no character that HTML escapes, because the policy allows exactly these bytes.
    static let script = "document.forms.resume.submit()"

    /// The path to which the form is sent, known to be local.
    package var target: String
    /// The value of the form's only field.
    package var token: String
    /// The value of the field that discards the form.
    package var label: String

    package init(target: String, token: String, label: String) {
        (self.target, self.token, self.label) = (target, token, label)
    }
}

/// A signed-in member, as the provider describes them.
package struct SignedInMember: Sendable, Equatable {
    package var name: String?
    package var email: String?
    /// The picture; shown only if it is on an allowed host (`PictureURL`).
    package var pictureURL: String?

    package init(name: String? = nil, email: String? = nil, pictureURL: String? = nil) {
        self.name = name
        self.email = email
        self.pictureURL = pictureURL
    }

    /// The name with the address, or the one that is known.
    var label: String? {
        guard let name, let email else { return name ?? email }
        return "\(name) (\(email))"
    }
}
