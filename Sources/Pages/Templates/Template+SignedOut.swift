extension Template {
    static let signedOutText = """
        {{<layout}}
        {{$title}}{{text.signedOutTitle}}{{/title}}
        {{$main}}
        <h1>{{text.signedOutTitle}}</h1>
        {{#everywhere}}
        <p>{{text.signedOutEverywhere}}</p>
        {{/everywhere}}
        <p>{{text.signedOutAdvice}}</p>
        <p class="actions">
        {{#signOutPage}}
        <a class="control primary" href="{{signOutPage}}" target="_blank" rel="noopener noreferrer">{{text.signOutAtProvider}}</a>
        {{/signOutPage}}
        <a class="control" href="{{target}}">{{text.signInAgain}}</a>
        </p>
        {{/main}}
        {{/layout}}

        """
}
