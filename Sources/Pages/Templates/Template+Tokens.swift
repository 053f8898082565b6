extension Template {
    private static let faultText = #"<p class="note fault" id="fault" role="alert">{{fault}}</p>"#

    /// The page where a member makes and revokes personal tokens.
    static let tokensText = """
        {{<layout}}
        {{$title}}{{text.tokens}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.tokens}}</h1>
        {{#newToken}}
        <div class="note made" role="status">
        <h2 id="link-label">{{text.tokenMade}}</h2>
        <p>{{text.tokenMadeLead}}</p>
        <div class="copy">
        <p class="own"><code id="link" dir="ltr" aria-labelledby="link-label">{{newToken}}</code></p>
        <button id="copy" type="button" data-done="{{text.linkCopied}}" hidden="">{{text.copyToken}}</button>
        <span id="copied" class="quiet" role="status"></span>
        </div>
        </div>
        {{/newToken}}
        {{^newToken}}
        <p class="lead">{{text.tokensLead}}</p>
        {{/newToken}}
        {{#formWrong}}
        \(faultText)
        {{/formWrong}}
        {{^hasTokens}}
        <p>{{text.tokensNone}}</p>
        {{/hasTokens}}
        {{#tokens}}
        <section class="token">
        <h2 class="named"><bdi>{{label}}</bdi>{{#ending}} <code class="quiet" dir="ltr">…{{ending}}</code>{{/ending}}</h2>
        <dl>
        <dt>{{text.tokenLocations}}</dt><dd>{{locations}}</dd>
        <dt>{{text.tokenCreated}}</dt><dd>{{created}}</dd>
        <dt>{{text.tokenEnds}}</dt><dd>{{ends}}</dd>
        <dt>{{text.tokenUsed}}</dt><dd>{{used}}{{^used}}{{text.tokenUnused}}{{/used}}</dd>
        </dl>
        <details>
        <summary aria-label="{{text.tokenRevoke}}: {{label}}">{{text.tokenRevoke}}</summary>
        <form method="post" action="{{paths.tokens}}">
        <p>{{text.tokenRevokeSure}}</p>
        <button class="danger" name="revoke" value="{{tokenID}}" aria-label="{{text.tokenRevoke}}: {{label}}">{{text.tokenRevoke}}</button>
        </form>
        </details>
        </section>
        {{/tokens}}
        {{#makesTokens}}
        <form class="fields" method="post" action="{{paths.tokens}}">
        <h2>{{text.tokenNew}}</h2>
        <input type="hidden" name="form" value="{{formID}}">
        <label for="name">{{text.tokenName}}</label>
        <input id="name" name="name" value="{{wantedName}}" maxlength="100" required="" autocomplete="off"\
        {{#nameWrong}} aria-invalid="true" aria-describedby="fault" autofocus=""{{/nameWrong}}>
        {{#nameWrong}}
        \(faultText)
        {{/nameWrong}}
        <label for="locations">{{text.tokenLocations}}</label>
        <input id="locations" name="locations" value="{{wantedLocations}}" required="" autocomplete="off"\
         aria-describedby="hint{{#locationsWrong}} fault{{/locationsWrong}}"\
        {{#locationsWrong}} aria-invalid="true" autofocus=""{{/locationsWrong}}>
        {{#locationsWrong}}
        \(faultText)
        {{/locationsWrong}}
        <p class="quiet" id="hint">{{text.tokenLocationsHint}}</p>
        <label for="days">{{text.tokenDays}}</label>
        <input id="days" name="days" value="{{wantedDays}}" type="number" min="1" max="{{maximumDays}}" required=""\
        {{#daysWrong}} aria-invalid="true" aria-describedby="fault" autofocus=""{{/daysWrong}}>
        {{#daysWrong}}
        \(faultText)
        {{/daysWrong}}
        <p class="actions"><button class="control primary">{{text.tokenMake}}</button></p>
        </form>
        {{/makesTokens}}
        {{^makesTokens}}
        <p>{{text.tokenRecent}}</p>
        <p class="actions"><a class="control primary" href="{{target}}">{{text.signInAgain}}</a></p>
        {{/makesTokens}}
        <p class="account"><a href="{{paths.home}}">{{text.home}}</a></p>
        {{#newToken}}
        <script>{{script}}</script>
        {{/newToken}}
        {{/main}}
        {{/layout}}

        """
}
