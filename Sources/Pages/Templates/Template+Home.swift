extension Template {
    /// The three steps in order if the provider gives profile links; otherwise only sign-in, profile and sign-out.
    ///
    /// A step that is done or that cannot be used yet is a text. One control is the primary one.
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
        <li class="done"><p class="step">{{text.signIn}}</p></li>
        {{#profileLink}}
        <li class="done"><p class="step">{{text.getProfileURL}}</p></li>
        {{/profileLink}}
        {{^profileLink}}
        <li>
        <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{paths.profile}}">{{text.getProfileURL}}</a>
        <p class="quiet">{{text.getProfileURLHint}}</p>
        </li>
        {{/profileLink}}
        {{/signedIn}}
        {{^signedIn}}
        <li>{{> sign-in}}</li>
        <li><p class="step">{{text.getProfileURL}}</p></li>
        {{/signedIn}}
        <li>
        {{#profileLink}}
        <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{profileLink}}">{{text.openProfile}}</a>
        <p class="quiet address">{{profileLinkShown}}</p>
        {{/profileLink}}
        {{^profileLink}}
        <p class="step">{{text.openProfile}}</p>
        {{/profileLink}}
        </li>
        </ol>
        {{/offersLink}}
        {{^offersLink}}
        <p class="actions">
        {{#signedIn}}
        <a class="control{{^paths.site}} primary{{/paths.site}}" href="{{paths.profile}}">{{text.showDetails}}</a>
        {{/signedIn}}
        {{^signedIn}}
        {{> sign-in}}
        {{/signedIn}}
        </p>
        {{/offersLink}}
        {{#signedIn}}
        {{#otherSessions}}
        <p class="sessions">{{otherSessions}}</p>
        {{/otherSessions}}
        <div class="account">
        {{#offersLink}}
        {{#profileLink}}
        <a href="{{paths.profile}}">{{text.showDetails}}</a>
        {{/profileLink}}
        {{/offersLink}}
        {{#signsOutEverywhere}}
        <form method="post" action="{{paths.logout}}">
        <button name="everywhere" value="yes">{{text.signOutEverywhere}}</button>
        </form>
        {{/signsOutEverywhere}}
        {{#offersTokens}}
        <a href="{{paths.tokens}}">{{text.tokens}}</a>
        {{/offersTokens}}
        <a href="{{paths.forget}}">{{text.forget}}</a>
        </div>
        {{/signedIn}}
        {{/main}}
        {{/layout}}

        """
}
