/// What templates can print or ask for, beside the fixed texts: the vocabulary of their tags.
package enum Field: String, CaseIterable {
    case name
    case email
    /// The address of the picture, absent if it may not be shown.
    case picture
    /// The first letter of the name, for want of a picture.
    case initial
    case locale
    case profileLink
    case profileLinkShown
    case received
    case signedIn
    case offersLink
    case linkMissing
    case signOutPage
    case title
    case happened
    case next
    case wait
    case account
    /// Whom to ask for access: an e-mail address, or else any words.
    case contactAddress
    case contact
    case requestID
    /// A list, each with `label`, `target` and `isPrimary`.
    case actions
    case label
    case target
    case isPrimary
    /// Whether the page has the button that signs out to use another account, and the local path for after that.
    case switchesAccount
    case returnPath
    case formToken
    case script
}

extension Template {
    /// The fields that a page has; a tag for another one would always be empty.
    var fields: [Field] {
        switch self {
        case .home:
            [.signedIn, .name, .email, .picture, .initial, .profileLink, .profileLinkShown, .offersLink]
        case .profile:
            [.name, .email, .picture, .initial, .locale, .profileLink, .profileLinkShown, .received]
                + [.linkMissing, .script]
        case .signedOut: [.signOutPage, .target]
        case .problem:
            [.title, .happened, .next, .wait, .account, .contactAddress, .contact, .requestID]
                + [.actions, .label, .target, .isPrimary, .switchesAccount, .returnPath]
        case .resume: [.target, .formToken, .script]
        case .layout, .member, .footer, .style: []
        }
    }

    static let pages: [Template] = [.home, .profile, .signedOut, .resume, .problem]
}
