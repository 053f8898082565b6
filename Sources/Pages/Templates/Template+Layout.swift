extension Template {
    /// Contains the icon, because browsers request /favicon.ico if a page has no icon.
    static let layout = Template(
        name: "layout",
        purpose: "the frame of every page; the other templates fill its blocks `title` and `main`",
        requiredTags: ["$main"],
        embedded: """
            <!DOCTYPE html>
            <html lang="{{page.language}}" dir="{{page.direction}}">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex, nofollow">
            <link rel="icon" href="data:image/svg+xml,\
            %3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E\
            %3Crect width='20' height='20' rx='6' fill='%23{{site.accent}}'/%3E\
            %3Cpath fill='%23{{site.onAccent}}' d='M10 10.6a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 20a6 6 0 0 1 12 0z'/%3E\
            %3C/svg%3E">
            <title>{{$title}}{{site.name}}{{/title}}</title>
            <style>{{> style}}</style>
            </head>
            <body>
            {{> backdrop}}
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
            {{#page.hasLanguages}}
            <nav class="languages" aria-label="{{text.locale}}">
            {{#page.languages}}
            {{#page.isCurrentLanguage}}
            <span lang="{{page.languageTag}}" aria-current="true">{{page.languageName}}</span>
            {{/page.isCurrentLanguage}}
            {{^page.isCurrentLanguage}}
            <a href="{{page.languageLink}}" lang="{{page.languageTag}}">{{page.languageName}}</a>
            {{/page.isCurrentLanguage}}
            {{/page.languages}}
            </nav>
            {{/page.hasLanguages}}
            </main>
            {{> footer}}
            </body>
            </html>

            """
    )

    static let member = Template(
        name: "member",
        purpose: "the member's picture, name and e-mail address, included by `home`, `profile` and `forget`",
        fields: TemplateField.member,
        embedded: """
            <div class="member">
            {{#picture}}
            <img class="portrait" src="{{picture}}" alt="" width="56" height="56">
            {{/picture}}
            {{^picture}}
            <span class="portrait" aria-hidden="true">{{initial}}</span>
            {{/picture}}
            <p class="who">
            {{#name}}
            <strong><bdi>{{name}}</bdi></strong>
            {{/name}}
            {{#email}}
            <span class="quiet"><bdi>{{#emailParts}}{{part}}<wbr>{{/emailParts}}</bdi></span>
            {{/email}}
            </p>
            </div>

            """
    )

    /// The name and the e-mail address of an account, as a part of the templates `problem` and `tokens`.
    static let account = """
        <dl>
        <dt>{{text.account}}</dt>
        <dd>{{#name}}<bdi>{{name}}</bdi>{{#email}}<br>{{/email}}{{/name}}\
        {{#email}}<bdi>{{#emailParts}}{{part}}<wbr>{{/emailParts}}</bdi>{{/email}}</dd>
        </dl>
        """

    /// A neutral mark, for a provider whose own the operator does not have.
    private static let neutralMark = """
        <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">\
        <path d="M10 4h7a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-7M3 12h11m-4-4.5 4.5 4.5-4.5 4.5"></path></svg>
        """

    /// The buttons of a site with several providers.
    static let providers = Template(
        name: "providers",
        purpose: "one button for each provider that the visitor can choose, included by `sign-in` and `choice`",
        fields: TemplateField.choice,
        requiredTags: ["providers", "target"],
        embedded: """
            {{#providers}}
            <span class="provider">
            <a class="control signin{{^isLast}} other{{/isLast}}" data-provider="{{providerID}}" href="{{target}}" aria-label="{{label}}">
            {{#mark}}
            <img class="mark" src="{{mark}}" alt="" width="24" height="24">
            {{/mark}}
            {{providerName}}</a>
            {{#isLast}}
            <span class="quiet">{{text.choiceLast}}</span>
            {{/isLast}}
            </span>
            {{/providers}}

            """
    )

    /// The button that begins a sign-in.
    static let signIn = Template(
        name: "sign-in",
        purpose: "the button that begins a sign-in, included by `home`",
        fields: TemplateField.choice,
        requiredTags: ["paths.login"],
        embedded: """
            {{#hasProviders}}
            {{> providers}}
            {{/hasProviders}}
            {{^hasProviders}}
            <a class="control signin" href="{{paths.login}}">
            {{#provider.logo}}
            <img class="mark" src="{{provider.logo}}" alt="" width="24" height="24">
            {{/provider.logo}}
            {{^provider.logo}}
            \(neutralMark)
            {{/provider.logo}}
            {{text.signIn}}</a>
            {{/hasProviders}}

            """
    )

    static let footer = Template(
        name: "footer",
        purpose: "the end of every page, such as links to your imprint; empty unless you write it",
        embedded: ""
    )
}
