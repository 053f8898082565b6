extension Template {
    static let problemText = """
        {{<layout}}
        {{$title}}{{title}} · {{text.siteTitle}}{{/title}}
        {{$main}}
        <h1>{{title}}</h1>
        {{#happened}}
        <p class="lead">{{happened}}</p>
        {{/happened}}
        {{#account}}
        <dl>
        <dt>{{text.account}}</dt>
        <dd dir="auto">{{account}}</dd>
        </dl>
        {{/account}}
        {{#next}}
        <p>{{next}}</p>
        {{/next}}
        {{#contactAddress}}
        <p>{{text.contact}} <a href="mailto:{{contactAddress}}">{{contactAddress}}</a></p>
        {{/contactAddress}}
        {{#contact}}
        <p>{{text.contact}} {{contact}}</p>
        {{/contact}}
        {{#wait}}
        <p>{{wait}}</p>
        {{/wait}}
        <p class="actions">
        {{#actions}}
        <a class="control{{#isPrimary}} primary{{/isPrimary}}" href="{{target}}">{{label}}</a>
        {{/actions}}
        </p>
        <p class="request">{{text.requestID}} <code>{{requestID}}</code></p>
        {{/main}}
        {{/layout}}

        """
}
