extension Template {
    /// The three steps in order if the provider gives profile links; otherwise only sign-in, profile and sign-out.
    ///
    /// A control that cannot be used yet is a placeholder link: without `href`, outside the tab order, with
    /// `aria-disabled` (ARIA in HTML). The sentence below it says why.
    static let homeText = """
        {{<layout}}
        {{$title}}{{#signedIn}}{{text.signedInTitle}} · {{site.name}}{{/signedIn}}{{^signedIn}}{{text.welcomeTitle}}{{/signedIn}}{{/title}}
        {{$main}}
        {{#signedIn}}
        <h1>{{text.signedInTitle}}</h1>
        <div class="session">
        {{> member}}
        <form method="post" action="{{paths.logout}}"><button>{{text.signOut}}</button></form>
        </div>
        {{#paths.site}}
        <p class="actions"><a class="control primary" href="{{paths.site}}">{{text.continueToSite}}</a></p>
        {{/paths.site}}
        {{/signedIn}}
        {{^signedIn}}
        <h1>{{text.welcomeTitle}}</h1>
        <p class="lead">{{text.welcomeLead}}</p>
        {{/signedIn}}
        {{#offersLink}}
        <ol class="steps" role="list" aria-label="{{text.steps}}">
        {{#signedIn}}
        <li class="done">
        <a class="control" role="link" aria-disabled="true">{{text.signIn}}</a>
        <p class="quiet">{{text.done}}</p>
        </li>
        {{#profileLink}}
        <li class="done">
        <a class="control" href="{{paths.profile}}">{{text.getProfileURL}}</a>
        <p class="quiet">{{text.done}}</p>
        </li>
        {{/profileLink}}
        {{^profileLink}}
        <li>
        <a class="control primary" href="{{paths.profile}}">{{text.getProfileURL}}</a>
        <p class="quiet">{{text.getProfileURLHint}}</p>
        </li>
        {{/profileLink}}
        {{/signedIn}}
        {{^signedIn}}
        <li>
        <a class="control primary" href="{{paths.login}}">{{text.signIn}}</a>
        </li>
        <li>
        <a class="control" role="link" aria-disabled="true">{{text.getProfileURL}}</a>
        <p class="quiet">{{text.getProfileURLLocked}}</p>
        </li>
        {{/signedIn}}
        <li>
        {{#profileLink}}
        <a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a>
        <p class="quiet address">{{profileLinkShown}}</p>
        {{/profileLink}}
        {{^profileLink}}
        <p class="quiet">{{text.openProfileLocked}}</p>
        {{/profileLink}}
        </li>
        </ol>
        {{/offersLink}}
        {{^offersLink}}
        <p class="actions">
        {{#signedIn}}
        {{#profileLink}}
        <a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a>
        {{/profileLink}}
        <a class="control" href="{{paths.profile}}">{{text.showDetails}}</a>
        {{/signedIn}}
        {{^signedIn}}
        <a class="control primary" href="{{paths.login}}">{{text.signIn}}</a>
        {{/signedIn}}
        </p>
        {{/offersLink}}
        {{#signedIn}}
        {{#otherSessions}}
        <p class="sessions">{{otherSessions}}</p>
        {{/otherSessions}}
        <div class="actions">
        {{#signsOutEverywhere}}
        <form method="post" action="{{paths.logout}}">
        <button class="control" name="everywhere" value="yes">{{text.signOutEverywhere}}</button>
        </form>
        {{/signsOutEverywhere}}
        {{#offersTokens}}
        <a class="control" href="{{paths.tokens}}">{{text.tokens}}</a>
        {{/offersTokens}}
        <a class="control" href="{{paths.forget}}">{{text.forget}}</a>
        </div>
        {{/signedIn}}
        {{/main}}
        {{/layout}}

        """
}
