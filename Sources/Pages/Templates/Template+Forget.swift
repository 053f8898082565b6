extension Template {
    /// The page that asks before a member's data is deleted.
    static let forgetText = """
        {{<layout}}
        {{$title}}{{text.forgetTitle}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.forgetTitle}}</h1>
        {{> member}}
        <p class="lead">{{text.forgetLead}} {{#deletesTokens}}{{text.forgetTokens}} {{/deletesTokens}}<strong>{{text.forgetFinal}}</strong></p>
        <details>
        <summary>{{text.forgetMore}}</summary>
        <p>{{text.forgetRest}}</p>
        </details>
        <form class="actions" method="post" action="{{paths.forget}}">
        <button class="control danger">{{text.forget}}</button>
        <a class="control" href="{{paths.home}}">{{text.forgetCancel}}</a>
        </form>
        {{/main}}
        {{/layout}}

        """

    /// The page after a member's data was deleted.
    static let forgottenText = """
        {{<layout}}
        {{$title}}{{text.forgottenTitle}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.forgottenTitle}}</h1>
        <p class="note made" role="status">{{deleted}}{{#deletesTokens}} {{text.forgottenTokens}}{{/deletesTokens}}</p>
        <details>
        <summary>{{text.forgetMore}}</summary>
        <p>{{text.forgetRest}}</p>
        </details>
        <p class="actions"><a class="control" href="{{paths.home}}">{{text.home}}</a></p>
        {{/main}}
        {{/layout}}

        """
}
