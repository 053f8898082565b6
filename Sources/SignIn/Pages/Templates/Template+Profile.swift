extension Template {
    static let profileText = """
        {{<layout}}
        {{$title}}{{text.profileTitle}} · {{text.siteTitle}}{{/title}}
        {{$main}}
        <h1>{{text.profileTitle}}</h1>
        {{> member}}
        {{#profileLink}}
        <p><a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a></p>
        <p class="quiet address">{{profileLinkShown}}</p>
        {{/profileLink}}
        {{^profileLink}}
        <section class="note" aria-labelledby="no-link">
        <h2 id="no-link">{{text.noLinkTitle}}</h2>
        {{#linkNotOffered}}
        <p>{{text.noLinkOffered}}</p>
        {{/linkNotOffered}}
        {{^linkNotOffered}}
        <p>{{text.noLinkSent}}</p>
        {{/linkNotOffered}}
        </section>
        {{/profileLink}}
        {{#locale}}
        <dl>
        <dt>{{text.locale}}</dt>
        <dd>{{locale}}</dd>
        </dl>
        {{/locale}}
        <p class="quiet">{{received}}</p>
        <p class="actions"><a class="control" href="{{paths.home}}">{{text.home}}</a></p>
        {{/main}}
        {{/layout}}

        """
}
