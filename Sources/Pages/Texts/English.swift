/// The texts of the pages in English: one `key = text` in each line.
let englishTexts = """
    # The texts of the pages in English. The other languages have the same keys.
    #
    # To add a language, copy this file to a file named after the language (BCP 47: it.txt, pt-BR.txt, zh-Hant.txt) and
    # translate what is behind each "=". Say what a good site in your language would say, not the English word by word.
    #
    #   {provider}  the provider's name, such as LinkedIn
    #   {site}      the site's name
    #   {address}   the site's address, such as https://example.com
    #   {count}     a number
    #   {path}      a path that the member wrote
    #
    # A text keeps the placeholders of the English text, in any order. Numbers in brackets select the form of a word:
    # "wait.days[1]" is for one day, "wait.days[2-4,22-24]" for those numbers, "wait.days" for all others. A language uses as
    # many forms as it needs; "date[1]" is for the first day of a month. "direction" is ltr, or rtl for a language that is
    # written from right to left.

    direction = ltr
    language = English
    date = {month} {day}, {year}
    months = Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec

    # The home page

    home = Home
    welcomeTitle = Sign in to {site}
    welcomeLead = You sign in at {provider}. This site never sees your password.
    signIn = Sign in with {provider}
    choiceLead = Choose where to sign in. This site never sees your password.
    choiceLast = You signed in here last time.
    choiceForm = Your form is saved: sign in within ten minutes, and this site sends it.
    signedInTitle = You are signed in
    continueToSite = Continue to {site}
    signOut = Sign out
    signOutEverywhere = Sign out everywhere
    signedIn.sessions = {count} browsers are signed in to your account.
    showProfileLink = Show my profile link
    openProfile = Open my {provider} profile
    showDetails = Show my {provider} details

    # The profile page

    profileTitle = Your {provider} profile
    profileLink = Profile link
    copyLink = Copy link
    linkCopied = Copied
    noLinkTitle = No profile link
    noLinkSent = {provider} sent no profile link for your account. To copy the link yourself, open your profile at {provider} and copy the link from the address bar.
    locale = Language
    profileLocale = Language at {provider}

    received.now = Received from {provider} just now.
    received.minutes = Received from {provider} {count} minutes ago.
    received.minutes[1] = Received from {provider} {count} minute ago.
    received.hours = Received from {provider} {count} hours ago.
    received.hours[1] = Received from {provider} {count} hour ago.
    received.days = Received from {provider} {count} days ago.
    received.days[1] = Received from {provider} {count} day ago.

    # The page after signing out

    signedOutTitle = You are signed out of {site}
    signedOutEverywhere = You are signed out in all browsers
    signedOutAdvice = You may still be signed in at {provider}. On a shared computer, or to use another account, sign out there too.
    signedOutReturn = After you sign in again, you go to this page:
    signOutAtProvider = Sign out at {provider}
    signInAgain = Sign in again

    # The pages that delete what is stored about a member

    forget = Delete my data
    forgetTitle = Delete your data?
    forgetLead = The sign-in service of this site deletes your name, e‑mail address, profile and {provider} tokens, and signs you out in every browser.
    forgetTokens = Your personal tokens are deleted too.
    forgetFinal = This cannot be undone.
    forgetRest = Log files and backups are kept for a while and can still contain your {provider} identifier and IP address. Other parts of this site may store more about you. {provider} lists this site as a permitted service until you remove this site from the list.
    forgetMore = What is not deleted
    forgetCancel = Keep my data
    forgottenTitle = Your data is deleted
    deleted.sessions = You are signed out in {count} browsers. Your name, e‑mail address, profile and {provider} tokens are deleted.
    deleted.sessions[1] = You are signed out. Your name, e‑mail address, profile and {provider} tokens are deleted.
    forgottenTokens = Your personal tokens are deleted too.

    # Personal tokens for scripts

    tokens = Personal tokens
    tokensLead = With a personal token, a script can open the paths of this site that you choose, in your name. Anyone who has the token can do there what you can do.
    tokensNone = You have no personal tokens.
    tokenMade = Your new token
    tokenMadeLead = Copy this token now. It is not shown again.
    copyToken = Copy token
    tokenName = Name
    tokenLocations = Paths
    tokenLocationsHint = Separate paths with spaces, such as /reports/ /files/. The path / stands for all pages that you can open.
    tokenDays = Days until the token expires
    tokenCreated = Made
    tokenEnds = Expires
    tokenUsed = Last used
    tokenUnused = Not used yet
    tokenRevoke = Revoke
    tokenRevokeSure = Scripts that use this token stop working immediately.
    tokenNew = New token
    tokenMake = Make a token
    tokenRecent = To make a token, sign in again first. Your sign-in is more than an hour old.
    tokenNameWrong = No token was made: write a name of at most 100 characters.
    tokenLocationsWrong = No token was made: write 1 to 20 paths with spaces between them.
    tokenPathWrong = No token was made, because “{path}” is not a valid path. A path begins with /, has at most 200 characters, and has only letters, digits, - . _ ~ and single slashes, but not /./ or /../.
    tokenDaysWrong = No token was made: write a number of days from 1 to {count}.
    tokenFormOld = No token was made, because this page was open for too long. Send the form again.
    tokensFull = No token was made, because you have as many as this site allows. Revoke a token that you do not need.
    tokenStoreFull = No token was made, because this site cannot store any more tokens. Tell the people who run this site.

    # The page that sends a form which was kept during the sign-in

    resumeTitle = Your form is ready to send
    resumeLead = You are now signed in. This site kept your form during the sign-in and sends it only once.
    resumeTarget = Send to
    resumeSend = Send my form
    resumeDiscard = Discard the form
    resumeDiscardSure = This site deletes your form without sending it.

    # Pages about problems

    tryAgain = Try again
    signInNewTab = Open sign-in in a new tab
    useAnotherAccount = Use another account
    account = Account
    contact = To ask for access:
    requestID = Request number

    wait.seconds = Try again in about {count} seconds.
    wait.seconds[1] = Try again in about {count} second.
    wait.minutes = Try again in about {count} minutes.
    wait.minutes[1] = Try again in about {count} minute.
    wait.hours = Try again in about {count} hours.
    wait.hours[1] = Try again in about {count} hour.
    wait.days = Try again in about {count} days.
    wait.days[1] = Try again in about {count} day.

    not_found.title = Page not found
    not_found.happened = There is no page at this address.
    not_found.next = Check the address, or start from the home page.

    method_not_allowed.title = This does not work here
    method_not_allowed.happened = Your browser sent a kind of request that this address does not accept.

    bad_request.title = We could not read the request
    bad_request.happened = Your browser sent something this site does not understand.

    too_large.title = Too much data
    too_large.happened = Your browser sent more than this page accepts. Too many cookies can cause this.
    too_large.next = If this happens again, delete the cookies of this site.

    address_too_long.title = This address is too long
    address_too_long.happened = You need to be signed in to see this page, and this site cannot lead you back to such a long address.
    address_too_long.next = Sign in first. You then start at the home page and can open the address again.

    sign_in_needed.title = Please sign in
    sign_in_needed.happened = You need to be signed in to see this page. If you signed in before, your sign-in has expired.

    account_not_allowed.title = This account has no access
    account_not_allowed.happened = You signed in with {provider}, but this account does not have access to this page.
    account_not_allowed.next = If you use another account, this site signs you out first. To change the account at {provider}, you may have to sign out there too.

    email_not_verified.title = Your e-mail address is not confirmed
    email_not_verified.happened = This page is only for people whose e‑mail address {provider} has confirmed. Your address is not confirmed there.
    email_not_verified.next = Confirm your e‑mail address at {provider}. Then sign in again.

    email_missing.title = {provider} sent no e-mail address
    email_missing.happened = This page is only for people whose e‑mail address {provider} has confirmed. {provider} sent no e‑mail address for your account.
    email_missing.next = Add an e‑mail address to your account at {provider} and confirm it there. Then sign in again.

    forbidden.title = This page is not available
    forbidden.happened = The site does not show this page to any account.
    forbidden.next = If you need this page, tell the people who run this site and include the request number.

    session_cookie_lost.title = Your browser does not keep you signed in
    session_cookie_lost.happened = You signed in three times, but your browser does not remember your sign-in.
    session_cookie_lost.next = Open this site in its own tab, at an address that starts with https. Allow its cookies, turn off extensions that remove cookies, and check that your clock is right. Then try again.

    session_unknown.title = This site does not recognize your sign-in
    session_unknown.happened = You signed in three times, and your browser remembers your sign-in, but this site does not.
    session_unknown.next = Delete the cookies of this site and try again. If this happens again, tell the people who run this site and include the request number.

    session_too_old.title = The clocks of this site differ
    session_too_old.happened = You signed in three times, but this site still treats your sign-in as too old for this page. One of its clocks is wrong.
    session_too_old.next = Tell the people who run this site and include the request number.

    sign_in_cancelled.title = Sign-in canceled
    sign_in_cancelled.happened = You did not finish signing in at {provider}. {provider} shared nothing with this site.

    scope_refused.title = {provider} rejected the request
    scope_refused.happened = This site asked {provider} for more than {provider} allows. You did nothing wrong.
    scope_refused.next = Tell the people who run this site and include the request number.

    state_missing.title = We could not complete your sign-in
    state_missing.happened = Your browser does not remember that it started this sign-in. Maybe cookies are blocked, this page was loaded again, or you started in another browser or app, or at another address of this site.
    state_missing.next = Try again in this browser at {address}. If you see this page again, allow cookies for this site.

    unencrypted_cookie_lost.title = Your browser did not remember this sign-in
    unencrypted_cookie_lost.happened = The address of this site starts with http://. Safari and other WebKit browsers do not keep secure cookies for such an address, not even on this computer.
    unencrypted_cookie_lost.next = If you loaded this page again or started in another browser, just try again. Otherwise use Chrome or Firefox, or open this site at an https:// address. If you already use one of these browsers, allow cookies for this site.

    state_expired.title = That took too long
    state_expired.happened = For your security, you have ten minutes to finish signing in.

    state_used.title = This sign-in was already used
    state_used.happened = Each sign-in works once. The back button, a reload or a double click can repeat it.
    state_used.next = You may already be signed in. Check the home page, or sign in again.

    callback_malformed.title = The address is not valid
    callback_malformed.happened = The address that brought you back from {provider} is incomplete or wrong.

    provider_refused_us.title = {provider} does not recognize this site
    provider_refused_us.happened = {provider} rejected this site’s own credentials. Your account is fine.
    provider_refused_us.next = Tell the people who run this site and include the request number.

    clock_wrong.title = The clock of this site is wrong
    clock_wrong.happened = {provider} confirmed your sign-in at a time that is in the future for this site, so this site cannot accept your sign-in.
    clock_wrong.next = Tell the people who run this site and include the request number.

    code_refused.title = {provider} did not confirm your sign-in
    code_refused.happened = {provider} rejected the one-time code for this sign-in. It may have expired.
    code_refused.next = Try again to get a new code.

    provider_unavailable.title = {provider} cannot be reached
    provider_unavailable.happened = This site got no usable answer from {provider}.

    provider_timed_out.title = {provider} took too long
    provider_timed_out.happened = {provider} did not answer this site in time.

    provider_busy.title = Too many people are signing in right now
    provider_busy.happened = This site is waiting for many answers from {provider}.

    too_many_requests.title = Too many requests from your network
    too_many_requests.happened = Many people on your network are signing in here right now, and each network has a limit. Nothing is lost.

    provider_throttled.title = Too many requests to {provider}
    provider_throttled.happened = For now, {provider} accepts no more requests from this site.

    identity_rejected.title = We could not verify who you are
    identity_rejected.happened = What {provider} sent about you did not pass this site’s checks. You are not signed in.
    identity_rejected.next = Try again. If this happens again, tell the people who run this site and include the request number.

    profile_unavailable.title = Your profile is not available right now
    profile_unavailable.happened = {provider} did not send your profile. You are still signed in.

    profile_denied.title = {provider} does not share your profile
    profile_denied.happened = {provider} does not allow this site to read profiles. You are still signed in.
    profile_denied.next = Tell the people who run this site and include the request number.

    profile_gone.title = {provider} has closed this service
    profile_gone.happened = {provider} no longer offers profiles in this way, so trying again will not help. You are still signed in.
    profile_gone.next = Tell the people who run this site and include the request number.

    version_retired.title = {provider} has changed this service
    version_retired.happened = This site asks for a version of this service that {provider} no longer offers. You are still signed in.
    version_retired.next = Tell the people who run this site and include the request number.

    access_pending.title = {provider} needs a little longer
    access_pending.happened = You allowed the sign-in, but {provider} did not recognize its own new permission within ten seconds.
    access_pending.next = Wait ten seconds, then try again. You do not have to sign in at {provider} again.

    access_ended.title = Please sign in again
    access_ended.happened = Your permission for this site at {provider} has expired or was withdrawn.

    store_unavailable.title = Sign-in is temporarily unavailable
    store_unavailable.happened = This site cannot find out who is signed in right now. You did nothing wrong.

    cross_site.title = You were not signed out
    cross_site.happened = The request to sign out came from another website, so this site ignored it.

    deletion_refused.title = Nothing was deleted
    deletion_refused.happened = The request to delete your data came from another website, so this site ignored it.
    deletion_refused.next = To delete your data, use the button on the next page.

    account_changed.title = Nothing was changed
    account_changed.happened = This browser has signed in with another account since the last page was loaded, so this site ignored the form.
    account_changed.next = The home page shows which account is signed in. Repeat from there what you wanted to do.

    change_needs_sign_in.title = Nothing was changed or deleted
    change_needs_sign_in.happened = This browser is not signed in, so this site ignored the form. If you signed in before, your sign-in has ended.
    change_needs_sign_in.next = Sign in first. Then repeat what you wanted to do.

    deletion_unfinished.title = We could not delete everything
    deletion_unfinished.happened = This site could not read or change everything that it stores. Some of your data may still be here.
    deletion_unfinished.next = Try again in a minute. If this happens again, tell the people who run this site and include the request number.

    form_not_kept.title = Your form was not sent
    form_not_kept.happened = You are not signed in, and this site could not keep your form while you sign in.
    form_not_kept.next = Use a new tab to sign in, and leave this tab open. Then reload this page and confirm that your browser sends the form again.

    too_many_forms.title = Too many forms from your network
    too_many_forms.happened = You are not signed in, and this site already keeps too many forms from your network. Your form was not sent.
    too_many_forms.next = Use a new tab to sign in, and leave this tab open. Then reload this page and confirm that your browser sends the form again.

    form_gone.title = Your form is no longer here
    form_gone.happened = This site keeps a form for ten minutes, and only for the browser that sent it. Your form was not sent to the page that it is for.
    form_gone.next = Fill in the form and send it again. Going back in your browser may bring back your text.

    sign_out_unfinished.title = You are signed out in this browser only
    sign_out_unfinished.happened = This browser no longer remembers your sign-in, but this site could not end your sign-in everywhere.
    sign_out_unfinished.next = Anyone who copied your sign-in from this browser can use it until it expires. If this worries you, tell the people who run this site.

    sessions_remain.title = You are still signed in
    sessions_remain.happened = This site could not sign you out in all browsers.
    sessions_remain.next = Try again in a minute. If this happens again, tell the people who run this site and include the request number.

    form_damaged.title = Your form could not be opened
    form_damaged.happened = This site kept your form while you signed in, but can no longer read your form. Your form was not sent.
    form_damaged.next = Fill in the form and send it again. Going back in your browser may bring back your text.

    form_sent.title = Your form was already sent
    form_sent.happened = This site sends each form once. The back button, a reload or a double click can repeat the request. The form was not sent again.
    form_sent.next = Check whether the site received your form.

    form_refused.title = The form was not accepted
    form_refused.happened = The request to send the form did not come from this site’s own page. The form was not sent.
    form_refused.next = Open the form on this site again and send it from there.

    form_unsent.title = Your form is still here
    form_unsent.happened = You are signed in, but this site could not reach the page that the form is for. The form was not sent.
    form_unsent.next = This site keeps a form for only ten minutes.

    form_unanswered.title = Your form may have been sent
    form_unanswered.happened = This site sent your form, but could not read the answer.
    form_unanswered.next = Before you send your form again, check whether the site received it.

    form_timed_out.title = No answer to your form yet
    form_timed_out.happened = This site sent your form, but the answer took too long.
    form_timed_out.next = Before you send your form again, check whether the site received it.

    internal_error.title = Something went wrong
    internal_error.happened = This is a fault of this site. You did nothing wrong.
    internal_error.next = Try again later. If this happens again, tell the people who run this site and include the request number.
    """
