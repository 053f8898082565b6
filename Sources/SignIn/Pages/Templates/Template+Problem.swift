extension Template {
    static let problemText = """
        {{<layout}}
        {{$title}}{{title}} · {{text.siteTitle}}{{/title}}
        {{$main}}
        <h1>{{title}}</h1>
        <p class="lead">{{happened}}</p>
        {{#account}}
        <p>{{text.account}}: <strong>{{account}}</strong></p>
        {{/account}}
        <p>{{next}}{{#wait}} {{wait}}{{/wait}}</p>
        <p class="actions">
        {{#actions}}
        <a class="control{{#isPrimary}} primary{{/isPrimary}}" href="{{target}}">{{label}}</a>
        {{/actions}}
        </p>
        <p class="request">{{text.requestID}}: <code>{{requestID}}</code></p>
        {{/main}}
        {{/layout}}

        """
}
