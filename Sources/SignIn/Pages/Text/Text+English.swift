extension Text {
    static let english = Text(
        siteTitle: "Sign in with {provider}",
        home: "Home",
        welcomeTitle: "Welcome",
        welcomeLead: "Use your {provider} account here. Your password stays with {provider}; this site never sees it.",
        signedInTitle: "You are signed in",
        signedInLead: "{provider} has confirmed who you are.",
        steps: "Steps",
        signIn: "Sign in with {provider}",
        signInDone: "Done. You are signed in.",
        getProfileURL: "Get my profile URL",
        getProfileURLHint: "We ask {provider} for the address of your profile.",
        getProfileURLLocked: "Available once you are signed in.",
        openProfile: "Open my {provider} profile",
        openProfileHint: "Your profile is at this address.",
        openProfileLocked: "Your link will appear here.",
        noProfileLinkNote: "{provider} gives this site your name and picture, but no profile link.",
        signOut: "Sign out",
        profileTitle: "Your {provider} profile",
        profileDetails: "Details",
        name: "Name",
        email: "E-mail",
        locale: "Language",
        profileLink: "Profile link",
        noLinkTitle: "No profile link",
        noLinkOffered: "{provider} gives this site your name and picture, but not the address of your profile.",
        noLinkAdvice:
            "Do you run this site? The {provider} product “{linkProduct}” includes the profile link: add it to the site’s app at {provider}, then choose it in the settings.",
        noLinkSent:
            "{provider} sent no profile link for your account. You can still copy it yourself: open your profile at {provider} and take the address from there.",
        signedOutTitle: "You are signed out here",
        signedOutLead: "This site has ended your session.",
        signedOutWarning: "This browser is still signed in at {provider}.",
        signedOutAdvice:
            "Whoever uses it next could sign in here again without a password. On a shared computer, sign out at {provider} too.",
        signOutAtProvider: "Sign out at {provider}",
        signInAgain: "Sign in again",
        tryAgain: "Try again",
        useAnotherAccount: "Use another account",
        account: "Account",
        requestID: "Request number"
    )
}
