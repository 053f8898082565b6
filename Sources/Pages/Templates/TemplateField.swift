import Templates

/// A field of a page that template tags can use, in addition to the fixed texts.
enum TemplateField: String, CaseIterable {
    case name
    case email
    /// The parts of the e-mail address between which a line may break; each has `part`.
    case emailParts
    case part
    /// The URL of the picture; absent if its host is not allowed.
    case picture
    /// The first letter of the name, shown if there is no picture.
    case initial
    case locale
    case profileLink
    case profileLinkShown
    case received
    case signedIn
    case offersLink
    /// A sentence about the number of the member's sessions, if there are several.
    case otherSessions
    /// Whether the page has a button that ends all sessions of the member.
    case signsOutEverywhere
    case linkMissing
    case everywhere
    case signOutPage
    /// A sentence about the sessions that a deletion ended.
    case deleted
    /// Whether a deletion includes personal tokens.
    case deletesTokens
    case title
    case happened
    case next
    case wait
    case account
    /// The contact to ask for access: either an e-mail address, or any other text in `contact`.
    case contactAddress
    case contact
    case requestID
    /// A list of actions; each has `label`, `target`, `isPrimary` and `isNewTab`.
    case actions
    case label
    case target
    case isPrimary
    case isNewTab
    /// Whether the page has a button to use another account; `returnPath` is the local path to return to.
    case switchesAccount
    case returnPath
    case formToken
    /// The value of the field that discards the form.
    case formLabel
    /// Whether the member can make personal tokens.
    case offersTokens
    /// A personal token that was made just now, shown this once.
    case newToken
    /// The member's tokens; each has `label`, `ending`, `tokenID`, `locations`, `created`, `ends` and `used`.
    case tokens
    case hasTokens
    case tokenID
    case locations
    /// The last characters of the token.
    case ending
    case created
    case ends
    case used
    /// Whether the member signed in recently enough to make a token. Otherwise `target` leads to sign-in.
    case makesTokens
    case wantedName
    case wantedLocations
    case wantedDays
    case maximumDays
    /// A value that makes the form work once.
    case formID
    /// A sentence about a field that is wrong.
    case fault
    /// Whether the fault concerns no field of the form.
    case formWrong
    case nameWrong
    case locationsWrong
    case daysWrong
    case script
}

extension Template {
    /// The fields of a page; a tag for any other field would always be empty.
    var fields: [TemplateField] {
        switch self {
        case .home:
            [
                .signedIn, .name, .email, .emailParts, .part, .picture, .initial, .profileLink, .profileLinkShown,
                .offersLink,
            ]
                + [.otherSessions, .signsOutEverywhere, .offersTokens]
        case .profile:
            [
                .name, .email, .emailParts, .part, .picture, .initial, .locale, .profileLink, .profileLinkShown,
                .received,
            ]
                + [.linkMissing, .script]
        case .signedOut: [.everywhere, .signOutPage, .target]
        case .forget: [.name, .email, .emailParts, .part, .picture, .initial, .deletesTokens]
        case .forgotten: [.deleted, .deletesTokens]
        case .problem:
            [.title, .happened, .next, .wait, .account, .name, .email, .emailParts, .part, .contactAddress, .contact]
                + [.requestID]
                + [.actions, .label, .target, .isPrimary, .isNewTab, .switchesAccount, .returnPath]
        case .tokens:
            [
                .newToken, .fault, .formWrong, .nameWrong, .locationsWrong, .daysWrong, .hasTokens, .tokens, .label,
                .ending,
                .tokenID,
            ]
                + [.locations, .created, .ends, .used, .makesTokens, .formID]
                + [.wantedName, .wantedLocations, .wantedDays, .maximumDays, .target, .script]
        case .resume: [.target, .formToken, .formLabel, .script]
        case .layout, .member, .signIn, .footer, .style: []
        }
    }

    static let pages: [Template] = [.home, .profile, .signedOut, .forget, .forgotten, .tokens, .resume, .problem]
}

/// The fields of one page with their values.
struct TemplateFields: Sendable {
    /// The values by tag name.
    private(set) var values: [String: TemplateValue] = [:]

    /// Sets a text; ignores an absent or empty text, so that sections with it are not shown.
    mutating func set(_ field: TemplateField, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        values[field.rawValue] = .text(text)
    }

    mutating func set(_ field: TemplateField, _ flag: Bool) {
        set(field.rawValue, flag)
    }

    mutating func set(_ name: String, _ flag: Bool) {
        values[name] = .flag(flag)
    }

    mutating func set(_ field: TemplateField, _ list: [TemplateFields]) {
        set(field.rawValue, list)
    }

    mutating func set(_ name: String, _ list: [TemplateFields]) {
        values[name] = .list(list.map(\.values))
    }

    /// Sets a group of fixed texts with a prefix, as in `{{text.signIn}}`.
    mutating func set(group: String, _ words: [String: String]) {
        for (name, word) in words { values["\(group).\(name)"] = .text(word) }
    }
}
