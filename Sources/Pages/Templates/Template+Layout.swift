extension Template {
    /// Contains the icon, because browsers request /favicon.ico if a page has no icon.
    static let layoutText = """
        <!DOCTYPE html>
        <html lang="{{page.language}}" dir="{{page.direction}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <link rel="icon" href="data:image/svg+xml,\
        %3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E\
        %3Crect width='20' height='20' rx='6' fill='%23{{site.accent}}'/%3E\
        %3Cpath fill='%23{{site.onAccent}}' d='M10 10.6a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 20a6 6 0 0 1 12 0z'/%3E\
        %3C/svg%3E">
        <title>{{$title}}{{site.name}}{{/title}}</title>
        <style>{{> style}}</style>
        </head>
        <body>
        <header>
        {{#site.logo}}
        <a class="home" href="{{paths.home}}"><img class="logo" src="{{site.logo}}" alt="{{site.name}}"></a>
        {{/site.logo}}
        {{^site.logo}}
        <a class="brand" href="{{paths.home}}">{{site.name}}</a>
        {{/site.logo}}
        </header>
        <main>
        {{$main}}{{/main}}
        </main>
        {{> footer}}
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
