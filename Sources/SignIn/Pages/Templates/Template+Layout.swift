extension Template {
    static let layoutText = """
        <!DOCTYPE html>
        <html lang="{{page.language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>{{$title}}{{text.siteTitle}}{{/title}}</title>
        <style>{{> style}}</style>
        </head>
        <body>
        <header>
        <a class="brand" href="{{paths.home}}">{{text.siteTitle}}</a>
        </header>
        <main>
        {{$main}}{{/main}}
        </main>
        </body>
        </html>

        """

    static let memberText = """
        <div class="member">
        {{#picture}}
        <img class="portrait" src="{{picture}}" alt="" width="56" height="56">
        {{/picture}}
        {{^picture}}
        <span class="portrait" aria-hidden="true">{{initial}}</span>
        {{/picture}}
        <p class="who">
        {{#name}}
        <strong dir="auto">{{name}}</strong>
        {{/name}}
        {{#email}}
        <span class="quiet" dir="auto">{{email}}</span>
        {{/email}}
        </p>
        </div>

        """
}
