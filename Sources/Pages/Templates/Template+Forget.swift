extension Template {
    /// The page that asks before a member's data is deleted.
    static let forgetText = """
        {{<layout}}
        {{$title}}{{text.forgetTitle}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.forgetTitle}}</h1>
        {{> member}}
        <p class="lead">{{text.forgetLead}}</p>
        <p>{{text.forgetRest}}</p>
        <form class="actions" method="post" action="{{paths.forget}}">
        <button class="control primary">{{text.forget}}</button>
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
        <p class="lead">{{deleted}}</p>
        <p>{{text.forgetRest}}</p>
        <p class="actions"><a class="control" href="{{paths.home}}">{{text.home}}</a></p>
        {{/main}}
        {{/layout}}

        """
}
