/// Every sentence of the pages in one language, but those about problems.
///
/// A language without one of them does not compile. Templates reach each by its property's name, as in
/// `{{text.signIn}}`; `{provider}` and `{linkProduct}` stand for the words of `ProviderLabel`.
struct Text {
    let siteTitle: String
    let home: String

    let welcomeTitle: String
    let welcomeLead: String
    let signedInTitle: String
    let signedInLead: String
    let steps: String
    let signIn: String
    let signInDone: String
    let getProfileURL: String
    let getProfileURLHint: String
    let getProfileURLLocked: String
    let openProfile: String
    let openProfileHint: String
    let openProfileLocked: String
    let noProfileLinkNote: String
    let signOut: String

    let profileTitle: String
    let profileDetails: String
    let name: String
    let email: String
    let locale: String
    let profileLink: String
    let noLinkTitle: String
    let noLinkOffered: String
    let noLinkAdvice: String
    let noLinkSent: String

    let signedOutTitle: String
    let signedOutLead: String
    let signedOutWarning: String
    let signedOutAdvice: String
    let signOutAtProvider: String
    let signInAgain: String

    let resumeTitle: String
    let resumeLead: String
    let resumeTarget: String
    let resumeSend: String

    let tryAgain: String
    let useAnotherAccount: String
    let account: String
    let contact: String
    let requestID: String
}
