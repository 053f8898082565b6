/// A template; the raw value is the name of the file that can replace it.
package enum Template: String, CaseIterable {
    /// The frame of every page; the other templates fill its blocks `title` and `main`.
    case layout
    case home
    case profile
    case signedOut = "signed-out"
    /// The page that asks whether to delete a member's data.
    case forget
    /// The page after the deletion.
    case forgotten
    /// The member's personal tokens.
    case tokens
    /// The page that sends a kept form.
    case resume
    case problem
    /// The member's picture, name and e-mail.
    case member
    /// The button that begins a sign-in.
    case signIn = "sign-in"
    /// The end of every page, such as links to pages of the site; empty unless a file replaces it.
    case footer
    /// The style sheet, read from `style.css`; it is a partial, so that it is not escaped.
    case style

    var fileName: String { self == .style ? "style.css" : "\(rawValue).mustache" }

    /// The embedded text.
    var embedded: String {
        switch self {
        case .layout: Self.layoutText
        case .home: Self.homeText
        case .profile: Self.profileText
        case .signedOut: Self.signedOutText
        case .forget: Self.forgetText
        case .forgotten: Self.forgottenText
        case .tokens: Self.tokensText
        case .resume: Self.resumeText
        case .problem: Self.problemText
        case .member: Self.memberText
        case .signIn: Self.signInText
        case .footer: ""
        case .style: Self.styleText
        }
    }

    /// The tags that a replacement must contain, because visitors need them to continue.
    var requiredTags: [String] {
        switch self {
        case .layout: ["$main"]
        case .home: ["paths.login", "paths.profile", "paths.logout", "profileLink"]
        case .profile: ["profileLink"]
        case .signedOut: ["signOutPage"]
        case .forget: ["paths.forget"]
        case .forgotten: ["deleted"]
        case .tokens: ["paths.tokens", "newToken", "tokens", "tokenID", "fault", "formID"]
        case .resume: ["target", "formToken", "script"]
        case .problem: ["title", "happened", "next", "actions", "requestID"]
        case .signIn: ["paths.login"]
        case .member, .footer, .style: []
        }
    }
}
