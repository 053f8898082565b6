extension Template {
    /// The page where a member makes and revokes personal tokens.
    static let tokensText = """
        {{<layout}}
        {{$title}}{{text.tokens}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.tokens}}</h1>
        {{#newToken}}
        <div class="note">
        <h2 id="made">{{text.tokenMade}}</h2>
        <p>{{text.tokenMadeLead}}</p>
        <p class="own"><code aria-labelledby="made">{{newToken}}</code></p>
        </div>
        {{/newToken}}
        {{^newToken}}
        <p class="lead">{{text.tokensLead}}</p>
        {{/newToken}}
        {{#fault}}
        <p class="note" role="alert">{{fault}}</p>
        {{/fault}}
        {{^hasTokens}}
        <p>{{text.tokensNone}}</p>
        {{/hasTokens}}
        {{#tokens}}
        <section class="token">
        <h2 class="own" dir="auto">{{label}}</h2>
        <dl>
        <dt>{{text.tokenLocations}}</dt><dd>{{locations}}</dd>
        <dt>{{text.tokenEnds}}</dt><dd>{{ends}}</dd>
        <dt>{{text.tokenUsed}}</dt><dd>{{used}}{{^used}}{{text.tokenUnused}}{{/used}}</dd>
        </dl>
        <form method="post" action="{{paths.tokens}}">
        <button name="revoke" value="{{tokenID}}" aria-label="{{text.tokenRevoke}}: {{label}}">{{text.tokenRevoke}}</button>
        </form>
        </section>
        {{/tokens}}
        {{#makesTokens}}
        <form class="fields" method="post" action="{{paths.tokens}}">
        <h2>{{text.tokenNew}}</h2>
        <label for="name">{{text.tokenName}}</label>
        <input id="name" name="name" value="{{wantedName}}" maxlength="100" required="" autocomplete="off">
        <label for="locations">{{text.tokenLocations}}</label>
        <input id="locations" name="locations" value="{{wantedLocations}}" required="" autocomplete="off" aria-describedby="hint">
        <p class="quiet" id="hint">{{text.tokenLocationsHint}}</p>
        <label for="days">{{text.tokenDays}}</label>
        <input id="days" name="days" value="{{wantedDays}}" type="number" min="1" max="{{maximumDays}}" required="">
        <p class="actions"><button class="control primary">{{text.tokenMake}}</button></p>
        </form>
        {{/makesTokens}}
        {{^makesTokens}}
        <p>{{text.tokenRecent}}</p>
        <p class="actions"><a class="control primary" href="{{target}}">{{text.signInAgain}}</a></p>
        {{/makesTokens}}
        {{/main}}
        {{/layout}}

        """
}
