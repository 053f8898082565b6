extension ProblemTexts {
    static let english = ProblemTexts(
        notFound: ProblemText(
            "Page not found",
            "There is no page at this address.",
            next: "Look for a typing mistake in the address, or start from the home page."
        ),
        methodNotAllowed: ProblemText(
            "That does not work here",
            "This address does not take the kind of request your browser sent.",
            next: "Please start from the home page."
        ),
        badRequest: ProblemText(
            "We could not read that",
            "Your browser sent something this site does not understand.",
            next: "Please start again from the home page."
        ),
        tooLarge: ProblemText(
            "That was too much at once",
            "Your browser sent more than this page accepts. Many or very long cookies can be the reason.",
            next: "Go to the home page. If this comes back, delete the cookies of this site."
        ),
        signInNeeded: ProblemText(
            "Please sign in",
            "This page is for people who are signed in. Your session may have ended.",
            next: "Sign in with {provider} to go on."
        ),
        accountNotAllowed: ProblemText(
            "This account has no access",
            "You signed in with {provider}, but this site does not admit that account.",
            next: "To use another one, sign out at {provider} first. Otherwise {provider} picks the same account again."
        ),
        forbidden: ProblemText(
            "This page is closed",
            "The site does not show this page, whichever account you use.",
            next: "If you expected to see it, tell whoever runs this site, with the request number below."
        ),
        sessionCookieLost: ProblemText(
            "Signing in goes round in circles",
            "You signed in three times, but your browser never sent the cookie “__Host-session” back.",
            next:
                "Use one address for the whole site: the same name, with https, and not inside another site’s page. Check that no extension, privacy setting or other program of this site removes the cookie, and that your clock is right. Then try again."
        ),
        sessionUnknown: ProblemText(
            "This site forgets your sign-in",
            "You signed in three times. Your browser sends the cookie “__Host-session” back, but this site does not know it.",
            next:
                "Delete the cookies of this site and try again. If that does not help, tell whoever runs it: two servers that do not share their sessions, or another program with a cookie of the same name, can be the reason."
        ),
        signInCancelled: ProblemText(
            "Sign-in cancelled",
            "You did not finish signing in at {provider}. Nothing was shared with this site.",
            next: "You can try again whenever you like."
        ),
        scopeRefused: ProblemText(
            "{provider} turned the request down",
            "This site asked {provider} for more than its app there may ask for. It is nothing you did.",
            next: "Only the people who run this site can change that. Please give them the number below."
        ),
        stateMissing: ProblemText(
            "We lost track of your sign-in",
            "The cookie that ties your sign-in to this browser did not come back. Either the sign-in began in another browser or app, or cookies are blocked.",
            next: "Allow cookies for this site, then try again in this browser."
        ),
        stateExpired: ProblemText(
            "That took a little too long",
            "For your safety, a sign-in has to be finished within a few minutes.",
            next: "Please try again."
        ),
        stateUsed: ProblemText(
            "This sign-in was used already",
            "Every sign-in works once. The back button, a reload or a double click may have asked for it twice.",
            next: "You may well be signed in: see the home page. If not, sign in again."
        ),
        callbackMalformed: ProblemText(
            "Something is missing",
            "The address that brought you back from {provider} is not complete. It may have been cut off or changed on the way.",
            next: "Please try again."
        ),
        providerRefusedUs: ProblemText(
            "{provider} does not recognise this site",
            "{provider} did not accept this site’s own credentials. Your account is fine.",
            next: "Only the people who run this site can put that right. Please give them the number below."
        ),
        codeRefused: ProblemText(
            "{provider} did not confirm your sign-in",
            "The one-time code that {provider} gave your browser was not accepted. It may have been too old.",
            next: "Please try again: you will get a new one."
        ),
        providerUnavailable: ProblemText(
            "{provider} cannot be reached",
            "This site got no usable answer from {provider}.",
            next: "Please try again in a moment."
        ),
        providerTimedOut: ProblemText(
            "{provider} took too long",
            "{provider} did not answer this site in time.",
            next: "Please try again in a moment."
        ),
        providerBusy: ProblemText(
            "Busy just now",
            "This site is waiting for many answers from {provider} and did not want to keep you in line.",
            next: "Please try again in a moment."
        ),
        providerThrottled: ProblemText(
            "{provider} asks for a break",
            "This site has used up the requests that {provider} grants it for now.",
            next: "Please try again later."
        ),
        identityRejected: ProblemText(
            "We could not verify who you are",
            "What {provider} sent about you did not pass this site’s checks. To be safe, nobody was signed in.",
            next: "Please try again. If it happens again, give the number below to the people who run this site."
        ),
        profileUnavailable: ProblemText(
            "Your profile is not available right now",
            "{provider} did not give your profile to this site. You are still signed in.",
            next: "Please try again in a moment."
        ),
        profileDenied: ProblemText(
            "{provider} does not share your profile",
            "This site’s app at {provider} may not read profiles. You are still signed in.",
            next: "Only the people who run this site can change that. Please give them the number below."
        ),
        profileGone: ProblemText(
            "{provider} has closed this service",
            "The first version of {provider}’s interface for profiles no longer exists. Trying again will not help. You are still signed in.",
            next: "The people who run this site can choose another {provider} product in its settings."
        ),
        accessEnded: ProblemText(
            "Please sign in again",
            "The permission you gave this site at {provider} has ended or was withdrawn.",
            next: "Signing in again renews it."
        ),
        storeUnavailable: ProblemText(
            "Sessions are out of order",
            "This site cannot read or save its sessions right now. It is nothing you did.",
            next: "Please try again in a moment."
        ),
        crossSite: ProblemText(
            "You were not signed out",
            "The request to sign out came from another website, so this site did not follow it.",
            next: "To sign out, use the button on the home page."
        ),
        formNotKept: ProblemText(
            "Your form was not sent",
            "This page is for people who are signed in, and your form could not be kept while you sign in.",
            next:
                "Sign in with {provider}, then go back in your browser: it usually still has what you wrote. Then send the form again."
        ),
        formGone: ProblemText(
            "Your form is no longer here",
            "A form is kept for ten minutes and for one browser. It was not sent.",
            next: "Please fill it in and send it again. Going back in your browser may bring back what you wrote."
        ),
        signOutUnfinished: ProblemText(
            "You are signed out in this browser alone",
            "This browser has forgotten your session, but the site could not end the session itself.",
            next: "A copy of it, if anybody has one, works until it expires. If you fear so, tell this site."
        ),
        formDamaged: ProblemText(
            "Your form could not be opened",
            "It was kept while you signed in, and what was kept of it is damaged. It was not sent.",
            next: "Please fill it in and send it again. Going back in your browser may bring back what you wrote."
        ),
        formSent: ProblemText(
            "Your form was sent already",
            "Every form is sent once. The back button, a reload or a double click may have asked for it twice.",
            next: "It has not been sent again. Please look on the site whether it arrived."
        ),
        formRefused: ProblemText(
            "That form was not sent",
            "The request to send a kept form did not come from the page that this site made for it.",
            next: "Please open the form again and send it from there."
        ),
        formUnsent: ProblemText(
            "Your form is still here",
            "You are signed in, but this site could not reach the page that the form is for. Nothing was sent.",
            next: "Please try again in a moment. The form is kept for ten minutes in all."
        ),
        formUnanswered: ProblemText(
            "Your form may have arrived",
            "It was sent, but this site could not read the answer.",
            next:
                "Please look on the site whether it arrived before you send it again. This site does not send a form twice."
        ),
        formTimedOut: ProblemText(
            "No answer to your form yet",
            "It was sent, but the answer took too long.",
            next:
                "Please look on the site whether it arrived before you send it again. This site does not send a form twice."
        ),
        internalError: ProblemText(
            "Something went wrong here",
            "This is a fault of this site. It is nothing you did.",
            next: "Please try again later. If it happens again, give the number below to the people who run this site."
        )
    )
}
