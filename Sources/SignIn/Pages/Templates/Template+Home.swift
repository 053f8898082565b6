extension Template {
    /// The three controls in their order, each with its state in words.
    ///
    /// A control that cannot be used yet is a link without `href` and out of the tab order, with `aria-disabled`, as
    /// ARIA in HTML has it for a placeholder link; the sentence below it, read in order, says why.
    static let homeText = """
        {{<layout}}
        {{$main}}
        {{#signedIn}}
        <h1>{{text.signedInTitle}}</h1>
        <div class="session">
        {{> member}}
        <form method="post" action="{{paths.logout}}"><button>{{text.signOut}}</button></form>
        </div>
        {{/signedIn}}
        {{^signedIn}}
        <h1>{{text.welcomeTitle}}</h1>
        <p class="lead">{{text.welcomeLead}}</p>
        {{/signedIn}}
        <ol class="steps" role="list" aria-label="{{text.steps}}">
        {{#signedIn}}
        <li class="done">
        <a class="control" role="link" aria-disabled="true">{{text.signIn}}</a>
        <p class="quiet">{{text.signInDone}}</p>
        </li>
        <li>
        <a class="control{{^profileLink}} primary{{/profileLink}}" href="{{paths.profile}}">{{text.getProfileURL}}</a>
        <p class="quiet">{{text.getProfileURLHint}}</p>
        </li>
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
        <p class="quiet">{{#explainsMissingLink}}{{text.noProfileLinkNote}}{{/explainsMissingLink}}{{^explainsMissingLink}}{{text.openProfileLocked}}{{/explainsMissingLink}}</p>
        {{/profileLink}}
        </li>
        </ol>
        {{/main}}
        {{/layout}}

        """
}
