extension Template {
    static let problemText = """
        {{<layout}}
        {{$title}}{{title}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{title}}</h1>
        {{#happened}}
        <p class="lead">{{happened}}</p>
        {{/happened}}
        {{#account}}
        <dl>
        <dt>{{text.account}}</dt>
        <dd>{{#name}}<bdi>{{name}}</bdi>{{#email}}<br>{{/email}}{{/name}}\
        {{#email}}<bdi>{{#emailParts}}{{part}}<wbr>{{/emailParts}}</bdi>{{/email}}</dd>
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
        <div class="actions">
        {{#switchesAccount}}
        <form method="post" action="{{paths.logout}}">
        {{#returnPath}}
        <input type="hidden" name="return_to" value="{{returnPath}}">
        {{/returnPath}}
        <button class="control primary">{{text.useAnotherAccount}}</button>
        </form>
        {{/switchesAccount}}
        {{#actions}}
        <a class="control{{#isPrimary}} primary{{/isPrimary}}" href="{{target}}"{{#isNewTab}} target="_blank"{{/isNewTab}}>{{label}}</a>
        {{/actions}}
        </div>
        {{#requestID}}
        <p class="request">{{text.requestID}} <code>{{requestID}}</code></p>
        {{/requestID}}
        {{/main}}
        {{/layout}}

        """
}
