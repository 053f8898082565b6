/// The templates that the pages are made of, each by the name of the file that can replace it.
package enum Template: String, CaseIterable {
    /// What every page has around it; its blocks `title` and `main` are filled by the others.
    case layout
    case home
    case profile
    case signedOut = "signed-out"
    /// The page that sends a kept form.
    case resume
    case problem
    /// The member's picture, name and e-mail.
    case member
    /// What the site adds below every page, such as links to its own pages: empty unless a file replaces it.
    case footer
    /// The style sheet, a partial so that nothing escapes it; from `style.css`, not `style.mustache`.
    case style

    var fileName: String { self == .style ? "style.css" : "\(rawValue).mustache" }

    /// The text in the binary.
    var embedded: String {
        switch self {
        case .layout: Self.layoutText
        case .home: Self.homeText
        case .profile: Self.profileText
        case .signedOut: Self.signedOutText
        case .resume: Self.resumeText
        case .problem: Self.problemText
        case .member: Self.memberText
        case .footer: ""
        case .style: Self.styleText
        }
    }

    /// What a replacement must mention, because a page without it would be a dead end.
    var requiredTags: [String] {
        switch self {
        case .layout: ["$main"]
        case .home: ["paths.login", "paths.profile", "paths.logout", "profileLink"]
        case .profile: ["profileLink"]
        case .signedOut: ["signOutPage"]
        case .resume: ["target", "formToken", "script"]
        case .problem: ["title", "happened", "next", "actions", "requestID"]
        case .member, .footer, .style: []
        }
    }
}
